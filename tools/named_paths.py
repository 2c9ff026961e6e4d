"""The paths that a document in Markdown names, and which of them are not there.

A word is taken for a path when it is the target of a link, or stands in backquotes or in a fence and either starts
with one of our folders (src may be left out: `run/exec`) or is the name of a source file (`graph.h`). What a build or
a run writes starts with other folders and is not looked for. Placeholders stand for anything that is there:
`src/model/ops/*.cpp`, `catalog/devices/NAME.json`, `thing_test.cpp`.
"""
import pathlib
import posixpath
import re

DATA = (".png", ".onnx", ".safetensors", ".gz")  # not text, so not among the files that the rules read
SOURCE = re.compile(r"(?!\.?/)[\w./*…-]*\w\.(?:h|cpp|py|sh|ts|cmake|md)")
PLACEHOLDER = re.compile(r"\*+|…|<\w+>|(?<![^\W_])(?:NAME|thing)(?![^\W_])")


class Tree:
    """The files of a repository, and every folder that one of them is in."""

    def __init__(self, files):
        self.paths = set(files)
        self.paths |= {folder.as_posix() for path in files for folder in pathlib.PurePosixPath(path).parents} - {"."}
        self.endings = {path[start:] for path in self.paths for start in range(len(path))
                        if start == 0 or path[start - 1] == "/"}


def words(text):
    """(line, word, whether it is a link's target) of everything that may be a path."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        for quoted in [line] if fenced else re.findall(r"`([^`]+)`", line):
            for word in quoted.split():
                yield number, re.sub(r":\d+$", "", word.strip("()[],;:'\"")).rstrip("/"), False
        if not fenced:
            for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", re.sub(r"`[^`]*`", "", line)):
                yield number, target, True


def candidates(word, folder):
    """Where a word in a document of that folder may lead: from there, from the root, from src."""
    return [posixpath.normpath(posixpath.join(start, word)) for start in (folder, "", "src")]


def is_there(path, paths):
    if not PLACEHOLDER.search(path):
        return path in paths
    rests = [".*" if found in ("**", "…") else "[^/]*" for found in PLACEHOLDER.findall(path)] + [""]
    wanted = re.compile("".join(re.escape(kept) + rest for kept, rest in zip(PLACEHOLDER.split(path), rests)))
    return any(wanted.fullmatch(one) for one in paths)


def missing(path, text, tree):
    """(line, word) for each path that the document names and that the tree does not have."""
    folder = posixpath.dirname(path)
    for line, word, link in words(text):
        if word.endswith(DATA) or "://" in word:
            continue
        first = word.split("/")[0]
        if link:
            found = is_there(candidates(word, folder)[0], tree.paths)
        elif SOURCE.fullmatch(word):
            found = is_there(word, tree.endings) or is_there(candidates(word, folder)[0], tree.paths)
        elif "/" in word and (first in tree.paths or f"src/{first}" in tree.paths):
            found = any(is_there(one, tree.paths) for one in candidates(word, folder))
        else:
            continue
        if not found:
            yield line, word
