"""House rules: what documents name."""
import named_paths
from rules.rule import rule


def is_document(file):
    """Not the changelog, which calls things as they were called in their time."""
    return file.suffix == ".md" and file.name != "CHANGELOG.md" and not file.under("tests")


@rule("Every path that a document names exists.", lambda file: True, tree=True)
def named_paths_exist(files):
    tree = named_paths.Tree([file.path for file in files])
    for file in filter(is_document, files):
        for line, word in named_paths.missing(file.path, file.text, tree):
            yield file.path, line, word
