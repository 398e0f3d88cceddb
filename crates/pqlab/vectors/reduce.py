#!/usr/bin/env python3
"""Reduces public vector files to the set that is built into pqlab.

    reduce.py --acvp DIR --wycheproof DIR --certificates ZIP [--out DIR]

--acvp          directory with ML-KEM-keyGen-FIPS203/internalProjection.json[.gz] and so on (usnistgov/ACVP-Server,
                gen-val/json-files); may be given more than once, the first that has a file wins
--wycheproof    directory with Wycheproof testvectors_v1 files (aes_gcm_test.json, ...)
--certificates  IETF-Hackathon/pqc-certificates, providers/bc/artifacts_certs_r5.zip

Tests are taken over unchanged; fields that no operation needs (`sk` beside a signature that is only verified,
DER and PEM copies of keys) are left out. The output is the same for the same input. Prints the table of README.md.
"""

import argparse
import gzip
import hashlib
import io
import json
import pathlib
import zipfile

SOURCES = {}


def source(path):
    data = pathlib.Path(path).read_bytes()
    SOURCES[str(path)] = hashlib.sha256(data).hexdigest()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def acvp(directories, name):
    for directory in directories:
        for file in ("internalProjection.json", "internalProjection.json.gz"):
            path = pathlib.Path(directory) / name / file
            if path.exists():
                return json.loads(source(path))
    raise SystemExit(f"no {name}/internalProjection.json[.gz] in {directories}")


def size(test):
    return len(json.dumps(test))


def spread(tests, count):
    """`count` tests, one of each outcome and reason first, the small ones before the large."""
    kinds = {}
    for test in sorted(tests, key=size):
        kinds.setdefault((test.get("testPassed"), test.get("reason")), []).append(test)
    chosen = []
    for depth in range(len(tests)):
        for kind in sorted(kinds, key=str):
            if depth < len(kinds[kind]) and len(chosen) < count:
                chosen.append(kinds[kind][depth])
    return sorted(chosen, key=lambda test: test["tcId"])


def without(test, *names):
    return {key: value for key, value in test.items() if key not in names}


def reduced_acvp(document, count, keep=lambda group: True, drop=()):
    groups = []
    for group in document["testGroups"]:
        if keep(group):
            tests = [without(test, "deferred", *drop) for test in spread(group["tests"], count)]
            groups.append({**group, "tests": tests})
    return {**document, "testGroups": groups}


def der(data, at=0):
    """Tag, start and end of the content, end of the whole."""
    length, content = data[at + 1], at + 2
    if length >= 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[content:content + count], "big")
        content += count
    return data[at], content, content + length


def children(data, at=0):
    _, start, end = der(data, at)
    found = []
    while start < end:
        found.append(start)
        start = der(data, start)[2]
    return found


def slh_dsa(path, sets):
    """Self-signed certificates: the signature over tbsCertificate is external, pure, with an empty context
    (RFC 9909)."""
    archive = zipfile.ZipFile(io.BytesIO(source(path)))
    groups = []
    for name in sorted(archive.namelist()):
        short = name.split("/")[-1]
        wanted = next((s for s in sets if short.startswith(s.lower() + "-2.16") and short.endswith("_ta.der")), None)
        if wanted is None:
            continue
        certificate = archive.read(name)
        tbs, _, signature = children(certificate)
        fields = children(certificate, tbs)
        spki = fields[6]  # version, serial, signature, issuer, validity, subject, subjectPublicKeyInfo
        key = children(certificate, spki)[1]
        bits = lambda at: certificate[der(certificate, at)[1] + 1:der(certificate, at)[2]].hex()
        message = certificate[tbs:der(certificate, tbs)[2]].hex()
        test = {"pk": bits(key), "context": "", "signature": bits(signature)}
        groups.append({
            "tgId": len(groups) + 1,
            "parameterSet": wanted,
            "signatureInterface": "external",
            "preHash": "pure",
            "tests": [{"tcId": 1, "testPassed": True, "reason": short, "message": message, **test}],
        })
    return {"vsId": 0, "algorithm": "SLH-DSA", "mode": "sigVer", "revision": "FIPS205", "testGroups": groups}


GROUP_FIELDS = ("type", "parameterSet", "curve", "sha", "keySize", "ivSize", "tagSize", "publicKeyAsn", "privateKey",
                "privateSeed")


def wycheproof(directory, name, per_kind, limit, accept=lambda group, test: True):
    """Of each result and set of flags the `per_kind` smallest tests, `limit` in all."""
    document = json.loads(source(pathlib.Path(directory) / f"{name}_test.json"))
    kinds = {}
    for number, group in enumerate(document["testGroups"]):
        for test in group["tests"]:
            if accept(group, test):
                key = (test["result"], tuple(test["flags"]), group.get("keySize"))
                kinds.setdefault(key, []).append((size(test) + size(group.get("publicKey", "")), number, test["tcId"]))
    chosen = set()
    order = sorted(kinds, key=lambda key: (key[0] != "valid", str(key)))
    for depth in range(per_kind):
        for key in order:
            ranked = sorted(kinds[key])
            if depth < len(ranked) and len(chosen) < limit:
                chosen.add(ranked[depth][1:])
    groups = []
    for number, group in enumerate(document["testGroups"]):
        tests = [without(t, "mu") if "msg" in t else t for t in group["tests"] if (number, t["tcId"]) in chosen]
        if not tests:
            continue
        entry = {key: group[key] for key in GROUP_FIELDS if key in group}
        public = group.get("publicKey")
        if isinstance(public, dict):
            entry["publicKey"] = {k: public[k] for k in ("pk", "uncompressed", "curve") if k in public}
        elif public is not None and "privateSeed" not in group and "privateKey" not in group:
            entry["publicKey"] = public
        groups.append({**entry, "tests": tests})
    return {"algorithm": document["algorithm"], "testGroups": groups}


MESSAGES = {  # FIPS 180-4 and FIPS 202 example messages (csrc.nist.gov, Example Values)
    "empty": b"",
    "one block": b"abc",
    "two blocks": b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "1600 bits": b"\xa3" * 200,
}
HASHES = [("SHA-224", "sha224"), ("SHA-256", "sha256"), ("SHA-384", "sha384"), ("SHA-512", "sha512"),
          ("SHA-512/256", "sha512_256"), ("SHA3-224", "sha3_224"), ("SHA3-256", "sha3_256"),
          ("SHA3-384", "sha3_384"), ("SHA3-512", "sha3_512"), ("SHAKE128", "shake_128"), ("SHAKE256", "shake_256")]
PUBLISHED = {  # beginnings of the digests that NIST prints for the examples above
    ("SHA-224", "one block"): "23097d223405d8228642a477bda255b3",
    ("SHA-256", "one block"): "ba7816bf8f01cfea414140de5dae2223",
    ("SHA-384", "one block"): "cb00753f45a35e8bb5a03d699ac65007",
    ("SHA-512", "one block"): "ddaf35a193617abacc417349ae204131",
    ("SHA-512/256", "one block"): "53048e2681941ef99b2e29b76b4c7dab",
    ("SHA3-224", "empty"): "6b4e03423667dbb73b6e15454f0eb1ab",
    ("SHA3-256", "empty"): "a7ffc6f8bf1ed76651c14756a061d662",
    ("SHA3-384", "empty"): "0c63a75b845e4f7d01107d852e4c2485",
    ("SHA3-512", "empty"): "a69f73cca23a9ac5c8b567dc185a756e",
    ("SHAKE128", "empty"): "7f9c2ba4e88f827d616045507605853e",
    ("SHAKE256", "empty"): "46b9dd2b0ba88d13233b3feb743eeb24",
}


def hashes():
    lines = []
    for name, function in HASHES:
        lines += [f'#  "{name}" example messages of FIPS 180-4 and FIPS 202', ""]
        for label, message in MESSAGES.items():
            shake = name.startswith("SHAKE")
            state = hashlib.new(function, message)
            digest = state.hexdigest(100) if shake else state.hexdigest()
            expected = PUBLISHED.get((name, label), "")
            if not digest.startswith(expected):
                raise SystemExit(f"{name} of {label} is {digest}, published is {expected}")
            lines += [f"Len = {8 * len(message)}", f"Msg = {message.hex() or '00'}",
                      f"{'Output' if shake else 'MD'} = {digest}", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--acvp", action="append", required=True)
    parser.add_argument("--wycheproof", required=True)
    parser.add_argument("--certificates", required=True)
    parser.add_argument("--out", default=pathlib.Path(__file__).parent, type=pathlib.Path)
    args = parser.parse_args()
    pure = lambda group: group["signatureInterface"] == "external" and group["preHash"] == "pure"
    fixed = lambda group: pure(group) and group["deterministic"]
    wp = lambda name, per_kind, limit, accept=lambda group, test: True: \
        wycheproof(args.wycheproof, name, per_kind, limit, accept)
    out = {
        "ml-kem-keygen": reduced_acvp(acvp(args.acvp, "ML-KEM-keyGen-FIPS203"), 1),
        "ml-kem-encap-decap": reduced_acvp(acvp(args.acvp, "ML-KEM-encapDecap-FIPS203"), 2),
        "ml-dsa-keygen": reduced_acvp(acvp(args.acvp, "ML-DSA-keyGen-FIPS204"), 1),
        "ml-dsa-sign": reduced_acvp(acvp(args.acvp, "ML-DSA-sigGen-FIPS204"), 1, fixed),
        "ml-dsa-verify": reduced_acvp(acvp(args.acvp, "ML-DSA-sigVer-FIPS204"), 2, pure, ("sk",)),
        "slh-dsa-keygen": reduced_acvp(acvp(args.acvp, "SLH-DSA-keyGen-FIPS205"), 1),
        "slh-dsa-verify": slh_dsa(args.certificates, ["SLH-DSA-SHA2-128s", "SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128s",
                                                      "SLH-DSA-SHAKE-128f"]),
    }
    full_tag = lambda group, test: group["tagSize"] == 128 and (group["ivSize"] in (96, 0) or
                                                                group["type"] != "AeadTest") and group["keySize"] != 192
    for size_ in ("512", "768", "1024"):
        refuse = lambda group, test: test["result"] == "invalid" and len(test["m"]) == 64
        out[f"wycheproof-ml-kem-{size_}-encaps"] = wp(f"mlkem_{size_}_encaps", 1, 2, refuse)
        out[f"wycheproof-ml-kem-{size_}"] = wp(f"mlkem_{size_}", 1, 3)
        out[f"wycheproof-ml-kem-{size_}-decaps"] = wp(
            f"mlkem_{size_}_semi_expanded_decaps", 1, 1, lambda g, t: "InvalidDecapsulationKey" in t["flags"])
    for set_ in ("44", "65", "87"):
        out[f"wycheproof-ml-dsa-{set_}-sign"] = wp(
            f"mldsa_{set_}_sign_seed", 1, 2, lambda g, t: t["flags"] == ["ValidSignature"] and "msg" in t)
        out[f"wycheproof-ml-dsa-{set_}-verify"] = wp(
            f"mldsa_{set_}_verify", 1, 3,
            lambda g, t: t["flags"] in (["ValidSignature"], ["InfinityNormViolation"], ["InvalidHintsEncoding"]))
    for name, per_kind, limit in (("x25519", 2, 30), ("x448", 2, 30), ("ecdh_secp256r1_ecpoint", 3, 30),
                                  ("ecdh_secp384r1_ecpoint", 3, 30), ("ed25519", 2, 30), ("ed448", 2, 30),
                                  ("ecdsa_secp256r1_sha256", 2, 30), ("ecdsa_secp384r1_sha384", 2, 30),
                                  ("rsa_signature_2048_sha256", 1, 10), ("rsa_signature_3072_sha256", 1, 10),
                                  ("rsa_signature_4096_sha256", 1, 10), ("hmac_sha256", 3, 12),
                                  ("hmac_sha384", 3, 12), ("hmac_sha512", 3, 12), ("hmac_sha3_256", 3, 12),
                                  ("hmac_sha3_512", 3, 12)):
        out[f"wycheproof-{name.replace('_', '-')}"] = wp(name, per_kind, limit)
    short = lambda group, test: len(test["okm"]) <= 256
    for name in ("hkdf_sha256", "hkdf_sha384", "hkdf_sha512"):
        out[f"wycheproof-{name.replace('_', '-')}"] = wp(name, 2, 12, short)
    for name in ("aes_gcm", "aes_ccm", "chacha20_poly1305"):
        out[f"wycheproof-{name.replace('_', '-')}"] = wp(name, 3, 40, full_tag)
    out["wycheproof-ascon-aead128"] = wp("ascon_sp800_232_aead128", 3, 30)
    rsa = {}
    for bits in ("2048", "3072", "4096"):
        keys = json.loads(source(pathlib.Path(args.wycheproof) / f"rsa_pkcs1_{bits}_test.json"))["testGroups"]
        rsa[f"RSA-{bits}-PKCS1-SHA256"] = keys[0]["privateKeyPkcs8"]
    total = 0
    files = {f"{name}.json.gz": json.dumps(value, separators=(",", ":")).encode() for name, value in out.items()}
    files["rsa-keys.json.gz"] = json.dumps(rsa).encode()
    files["hash.rsp.gz"] = hashes().encode()
    print("| file | bytes | SHA-256 |\n|---|---|---|")
    for name, data in sorted(files.items()):
        packed = gzip.compress(data, 9, mtime=0)
        (args.out / name).write_bytes(packed)
        total += len(packed)
        print(f"| {name} | {len(packed)} | `{hashlib.sha256(packed).hexdigest()}` |")
    print(f"\n{total} bytes in {len(files)} files\n\n| source | SHA-256 |\n|---|---|")
    for path, digest in sorted(SOURCES.items()):
        print(f"| {'/'.join(pathlib.Path(path).parts[-2:])} | `{digest}` |")


main()
