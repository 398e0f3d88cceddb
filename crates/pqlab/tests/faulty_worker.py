"""A worker that does one thing wrong: `python3 faulty_worker.py FAULT`. All else is as in worker.py."""
import json, os, signal, sys

sys.dont_write_bytecode = True
import worker

FAULT = sys.argv[1]


def forever():
    while True:
        signal.pause()


def raw(data):
    """Writes bytes that are no answer, then waits to be killed."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        pass
    forever()


def die(status):
    print(f"dying on purpose with {status}", file=sys.stderr, flush=True)
    os._exit(status)


class Faulty(worker.Worker):
    def hello(self, request):
        answer = super().hello(request)
        answer["identity"] = {"name": "faulty", "version": FAULT}
        if FAULT == "crash-at-hello":
            die(3)
        if FAULT == "hang-at-hello":
            forever()
        if FAULT == "no-version":
            answer["identity"]["version"] = " "
        if FAULT == "other-protocol":
            answer["protocol"] = "pqlab.worker/9"
        if FAULT == "noisy":
            # More than any buffer, neither text nor lines, on the stream that is the worker's own.
            os.write(2, b"\xff" * 300_000)
            for _ in range(64):
                os.write(2, b"x" * 65536)
        return answer

    def perform(self, request):
        if FAULT == "hang-in-perform":
            forever()
        answer = super().perform(request)
        if FAULT == "wrong-output":
            answer["outputs"] = {name: "00" + digits[2:] for name, digits in answer["outputs"].items()}
        return answer

    def prepare(self, request):
        if FAULT == "crash-in-prepare":
            die(4)
        if FAULT == "hang-in-prepare":
            forever()
        return super().prepare(request)

    def calibrate(self, request):
        answer = super().calibrate(request)
        if FAULT == "calibrates-to-ages":
            answer["ns_per_op"] = 1e300
        if FAULT == "calibrates-to-nothing":
            answer["count"] = 0
        if FAULT == "calibrates-to-any-count":
            answer["count"] = 2**60
        return answer

    def epoch(self, request):
        if FAULT == "crash-in-epoch":
            die(5)
        if FAULT == "killed-in-epoch":
            os.kill(os.getpid(), signal.SIGSEGV)
        if FAULT == "hang-in-epoch":
            forever()
        if FAULT == "deaf-to-signals":
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            forever()
        if FAULT == "garbage":
            raw(b"this is not JSON\n")
        if FAULT == "not-text":
            raw(b"\xff\xfe\n")
        if FAULT == "deep":
            raw(b'{"id":1,"ok":' + b"[" * 100_000 + b"\n")
        if FAULT == "long-line":
            raw(b"x" * (65 * 1024 * 1024) + b"\n")
        if FAULT == "flood":
            while True:
                sys.stdout.buffer.write(b"x" * 65536)
        if FAULT == "closed":
            os.close(1)
            forever()
        answer = super().epoch(request)
        epochs = answer["epochs"]
        if FAULT == "skipped-work":
            answer["digest"] = "0" * 16
        if FAULT == "negative-time":
            epochs[0]["elapsed_ns"] = -1
        if FAULT == "zero-time":
            epochs[0]["elapsed_ns"] = 0
        if FAULT == "no-number":
            epochs[0]["elapsed_ns"] = float("nan")
        if FAULT == "endless-time":
            epochs[0]["elapsed_ns"] = 1e300
        if FAULT == "tiny-time":
            epochs[0]["elapsed_ns"] = 1e-300
        if FAULT == "no-time":
            del epochs[0]["elapsed_ns"]
        if FAULT == "other-count":
            epochs[0]["count"] += 1
        if FAULT == "no-epochs":
            answer["epochs"] = []
        if FAULT == "refuses":
            raise ValueError("out of luck")
        return answer


class Misnumbered(dict):
    def __getitem__(self, key):
        value = super().__getitem__(key)
        return value + 1 if key == "id" and super().__getitem__("do") == "epoch" else value


if FAULT == "wrong-id":
    plain = json.loads
    json.loads = lambda line: Misnumbered(plain(line))
worker.serve(Faulty())
