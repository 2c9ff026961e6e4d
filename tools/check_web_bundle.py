#!/usr/bin/env python3
"""Says when web/dist is older than what it is made of: `make web` makes it anew. Exit code 1.

web/dist/sources.txt lists every source of the page with its hash at the time of packing. Nothing here needs Node.
"""
import gzip
import hashlib
import pathlib
import sys

LARGEST = 300_000  # bytes, compressed


def main():
    web = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "web")
    packed = dict(reversed(line.split("  ", 1)) for line in (web / "dist/sources.txt").read_text().splitlines())
    here = {"index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts"}
    here |= {file.relative_to(web).as_posix() for folder in ("src", "public")
             for file in (web / folder).rglob("*") if file.is_file()}
    wrong = [f"web/{name}: it is not in web/dist" for name in sorted(here - packed.keys())]
    wrong += [f"web/{name}: it is in web/dist, but is there no more" for name in sorted(packed.keys() - here)]
    for name in sorted(here & packed.keys()):
        if hashlib.sha256((web / name).read_bytes()).hexdigest() != packed[name]:
            wrong.append(f"web/{name}: it was changed after web/dist was made")
    size = sum(len(gzip.compress(file.read_bytes())) for file in (web / "dist").iterdir() if file.name != "sources.txt")
    if size > LARGEST:
        wrong.append(f"web/dist: {size} bytes compressed, expected at most {LARGEST}")
    for line in wrong:
        print(line)
    print("make web packs the page again" if wrong else f"web/dist is what web/src says: {size} bytes compressed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
