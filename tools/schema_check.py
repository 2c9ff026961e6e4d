#!/usr/bin/env python3
"""schema_check.py BUILD: every answer validates against schema/ (JSON Schema 2020-12, PyPI's jsonschema).

Checked are: that schema/ and the page's types are what the rows say now; every schema itself; the golden answers; what
each verb prints with --json, mistakes included; and what the page is answered. Where jsonschema is missing the check
ends with 77, which ctest shows as skipped; `make test` installs it into build/venv where pip can.
"""
import filecmp
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77


def use_venv(build):
    python = build / "venv" / "bin" / "python"
    if python.exists() and pathlib.Path(sys.prefix).resolve() != python.parent.parent.resolve():
        os.execv(python, [str(python), *sys.argv])


def up_to_date(build, folder):
    """The committed files are those that the rows make."""
    subprocess.run([build / "src" / "write_schemas", folder, folder / "generated.ts"], check=True)
    made = sorted(path.name for path in folder.glob("*.json"))
    kept = sorted(path.name for path in (ROOT / "schema").glob("*.json"))
    stale = [name for name in set(made) | set(kept)
             if name not in made or name not in kept or not filecmp.cmp(folder / name, ROOT / "schema" / name, False)]
    if not filecmp.cmp(folder / "generated.ts", ROOT / "web" / "src" / "generated.ts", False):
        stale.append("web/src/generated.ts")
    return [f"{name} is not what the rows say: run `make schema`" for name in sorted(stale)]


class Validators:
    def __init__(self, jsonschema):
        self.by_name = {}
        for path in sorted((ROOT / "schema").glob("*.json")):
            schema = json.loads(path.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            self.by_name[schema["$id"]] = jsonschema.Draft202012Validator(schema)

    def complaints(self, what, document):
        name = document.get("schema") if isinstance(document, dict) else None
        if name not in self.by_name:
            return [f"{what}: there is no schema {name}"]
        return [f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                for error in self.by_name[name].iter_errors(document)][:3]


def commands(folder):
    """Each verb and each form of its answer. The trained run is there for those that come after it."""
    pictures = folder / "set"
    run = folder / "run"
    train = ["train", "logistic", "--input", "1x8x8", "--classes", "2", "--data", str(pictures), "--batch", "4",
             "--epochs", "1", "--threads", "1", "--loaders", "0", "--quiet"]
    return [
        ["models"], ["devices"], ["devices", "nvidia-t4"], ["devices", "aws-g5.xlarge"],
        ["devices", "calibrate", "nvidia-rtx-3090", "--gemm", "60TFLOPS", "--out", str(folder / "mine.json")],
        ["devices", "calibrate", "nvidia-rtx-3090", "--measured", "resnet18:64:amp=30ms"],
        ["weigh", "lenet5"], ["weigh", "lenet5", "mlp", "--epochs", "1,2", "--epoch-time", "1s,2s"],
        ["weigh", "resnet18", "--units", "4", "--depth", "1"],
        ["fit", "resnet18", "--device", "nvidia-t4"], ["fit", "resnet18", "--memory", "1GiB", "--batch", "4096"],
        ["fit", "lenet5", "--device", "this", "--residence", "--brief"],
        ["fit", "--model-mb", "100", "--sample-mb", "100", "--activation-mb", "500", "--memory", "8GB"],
        ["fit", "--model-mb", "100", "--sample-mb", "1", "--activation-mb", "5", "--memory", "8GB", "--batch", "9999"],
        ["place", "resnet18"], ["place", "lenet5", "--mode", "inference", "--device", "nvidia-t4"],
        ["place", "lenet5", "--device", "aws-g5.xlarge", "--sample-bytes", "110KB", "--decode-rate", "400"],
        ["place", "--accuracy"],
        ["scale", "resnet18", "--device", "nvidia-dgx-1", "--critical-batch", "800-1200"],
        ["scale", "lenet5", "--device", "nvidia-t4", "--workers", "1,2"], ["scale", "--links"], ["scale", "--accuracy"],
        ["bench", "lenet5", "--seconds", "0", "--steps", "1", "--profile", "--beside", "nvidia-t4", "--threads", "1,2"],
        ["data", str(pictures)], ["data", str(pictures), "--benchmark", "--loaders", "1", "--input", "1x8x8"],
        train + ["--run-dir", str(run)],
        train + ["--run-dir", str(folder / "large"), "--memory", "1KB"],
        ["eval", str(run), "--quiet"], ["predict", str(run), str(next(pictures.rglob("*.png")))],
        ["export", str(run), "-o", str(folder / "made.onnx")],
        ["sharpness", str(run), "--samples", "4", "--steps", "1", "--directions", "1", "--points", "3", "--quiet"],
        ["sweep", *train[1:], "--run-dir", str(folder / "sweep"), "--lr", "0.1,0.01", "--goal-loss", "0.1"],
        ["report", "lenet5", str(run), "--device", "nvidia-t4", "-o", str(folder / "report.html"), "--quiet"],
        ["weigh", "no-such-network"], ["fit", "lenet5", "--batch", "0", "--device", "nvidia-t4"],
        ["fit", "lenet5", "--memory", "8"], ["train"],
    ]


def picture_set(folder):
    """Two classes of 8x8 grey pictures, written by hand: PNG needs zlib alone."""
    import struct
    import zlib

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    for label in ("dark", "light"):
        (folder / label).mkdir(parents=True)
        for i in range(10):
            rows = b"".join(b"\0" + bytes([(20 if label == "dark" else 200) + i] * 8) for _ in range(8))
            png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            (folder / label / f"{i}.png").write_bytes(png)


def check_verbs(program, folder, validators):
    picture_set(folder / "set")
    lines = []
    for words in commands(folder):
        ran = subprocess.run([program, *words, "--json"], capture_output=True, text=True, cwd=folder)
        what = " ".join(words)[:70]
        try:
            lines += validators.complaints(what, json.loads(ran.stdout))
        except json.JSONDecodeError:
            lines.append(f"{what}: exit code {ran.returncode}, no JSON: {ran.stdout[:80]!r} {ran.stderr[:200]!r}")
    return lines


def check_page(program, folder, validators):
    """The page's own questions, asked as it asks them."""
    server = subprocess.Popen([program, "serve", "--port", "0", "--json", "--runs", str(folder)],
                              stdout=subprocess.PIPE, text=True)
    try:
        told = json.loads("".join(iter(lambda: server.stdout.readline(), "}\n")) + "}")
        lines = validators.complaints("serve", told)
        address, token = re.match(r"(.*)#token=(.*)", told["address"]).groups()

        def ask(path, body=None, cookie=""):
            request = urllib.request.Request(address.rstrip("/") + path, method="POST" if body is not None else "GET",
                                             data=None if body is None else json.dumps(body).encode(),
                                             headers={"Content-Type": "application/json", "X-Plimsoll": "1",
                                                      "Origin": address.rstrip("/"), "Cookie": cookie})
            try:
                with urllib.request.urlopen(request) as reply:
                    return json.load(reply), reply.headers.get("Set-Cookie", "")
            except urllib.error.HTTPError as error:
                return json.load(error), ""

        opened, cookie = ask("/api/session", {"token": token})
        lines += validators.complaints("session", opened)
        fit = {"model": "lenet5", "device": "nvidia-t4", "batch": 8}
        for path, body in [("/api/choices", None), ("/api/fit", fit), ("/api/place", fit),
                           ("/api/weigh", {"model": "lenet5"}), ("/api/scale", {**fit, "workers": [1, 2]}),
                           ("/api/plan", {"fit": fit, "place": fit, "weigh": {"model": "lenet5"}}),
                           ("/api/fit", {"model": "lenet5", "memory": "8GiB"}), ("/api/fit", {**fit, "batch": "8"})]:
            lines += validators.complaints(path, ask(path, body, cookie.split(";")[0])[0])
        return lines
    finally:
        server.terminate()
        server.wait()


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    use_venv(build)
    try:
        import jsonschema
    except ImportError:
        print("skipped: there is no jsonschema (pip install jsonschema)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "made").mkdir()
        lines = up_to_date(build, folder / "made")
        validators = Validators(jsonschema)
        for path in sorted((ROOT / "tests" / "golden").rglob("*.json")):
            document = json.loads(path.read_text())
            if isinstance(document, dict) and "schema" in document:
                lines += validators.complaints(path.name, document)
        lines += check_verbs(build / "plimsoll", folder, validators)
        lines += check_page(build / "plimsoll", folder, validators)
    print("\n".join(lines) or f"all answers validate against {len(validators.by_name)} schemas")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
