"""A foreign worker, written against docs/WORKER.md and docs/POOL.md: hashes and HMAC of Python's standard library."""
import hashlib, hmac, json, platform, resource, struct, sys, time

FUNCTIONS = {  # name: family and operation, output, function of key and message
    "SHA-256": ("hash", "digest", lambda key, message: hashlib.sha256(message).digest()),
    "SHA3-256": ("hash", "digest", lambda key, message: hashlib.sha3_256(message).digest()),
    "HMAC-SHA256": ("mac", "tag", lambda key, message: hmac.digest(key, message, "sha256"))}

def read_pool(file):
    number = lambda: struct.unpack("<I", file.read(4))[0]
    section = lambda: (file.read(file.read(1)[0]).decode(), [file.read(number()) for _ in range(number())])
    assert file.read(8) == b"PQLABIN1", "not an input pool"
    return dict(section() for _ in range(number()))

class Worker:
    def hello(self, request):
        identity = {"name": "python-hashlib", "version": platform.python_version(), "origin": sys.executable}
        offers = [{"name": name, "family": family, "operations": [family]} for name, (family, *_) in FUNCTIONS.items()]
        return {"protocol": "pqlab.worker/1", "identity": identity, "algorithms": offers}
    def perform(self, request):
        _, output, function = FUNCTIONS[request["algorithm"]]
        inputs = {name: bytes.fromhex(digits) for name, digits in request["inputs"].items()}
        return {"outputs": {output: function(inputs.get("key"), inputs["message"]).hex()}}
    def prepare(self, request):
        _, output, self.function = FUNCTIONS[request["algorithm"]]
        pool = read_pool(open(request["pool"], "rb"))
        self.keys, self.messages = pool.get("key", [b""]), pool["message"]
        for i, expected in enumerate(pool[output][:16]):
            assert self.function(self.keys[i % len(self.keys)], self.messages[i]) == expected, f"item {i} differs"
        return {"ready": True}
    def calibrate(self, request):
        ns_per_op = self.timed(0, 256)["elapsed_ns"] / 256
        return {"count": round(request["target_ns"] / ns_per_op) or 1, "ns_per_op": ns_per_op}
    def timed(self, first, count, digest=0):
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw, time.perf_counter_ns()
        for i in range(first, first + count):
            output = self.function(self.keys[i % len(self.keys)], self.messages[i % len(self.messages)])
            digest = (digest + int.from_bytes(output[:8], "little")) * 0x9E3779B97F4A7C15 % 2**64
        ns, self.digest = time.perf_counter_ns() - began, digest
        switches = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw - before
        return {"elapsed_ns": ns, "count": count, "nivcsw": switches}
    def epoch(self, request):
        (first, count), self.digest = (request["first"], request["count"]), 0
        step = 1 if request.get("mode") == "latency" else count
        epochs = [self.timed(at, step, self.digest) for at in range(first, first + count, step)]
        return {"epochs": epochs, "digest": f"{self.digest:016x}"}
    def quit(self, request):
        return {}

def serve(worker):
    for request in map(json.loads, sys.stdin):
        handle = getattr(worker, request["do"], None)
        try:
            answer = {"ok": handle(request)}
        except Exception as error:
            answer = {"error": {"fault": "provider" if handle else "unsupported", "what": repr(error)}}
        print(json.dumps({"id": request["id"], **answer}), flush=True)
        if request["do"] == "quit": return

if __name__ == "__main__": serve(Worker())
