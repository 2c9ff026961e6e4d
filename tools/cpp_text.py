"""Just enough reading of C++ for the house rules: code without comments and strings, and where
functions begin and end. It goes by braces, not by grammar: what macros hide, it does not see."""
import re

# In this order: a comment may hold quotes, a string may hold comments. 1'000 is a number.
_HIDDEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>R"(?P<mark>[^(\s"\\]*)\(.*?\)(?P=mark)")
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<number>(?<![\w'])\d[\w'.]*)
      | (?P<char>'(?:[^'\\\n]|\\.)+')""",
    re.DOTALL | re.VERBOSE)
_SCOPE = re.compile(r"^\s*(?:template\s*<.*>\s*)?(?:inline\s+|typedef\s+|static\s+|const\s+|constexpr\s+)*"
                    r"(?:namespace|class|struct|union|enum|extern)\b", re.DOTALL)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def code_only(text, keep_strings=False):
    """The text with comments (and strings) blanked; every line and column stays where it was."""
    def replace(found):
        if found.lastgroup == "number" or (keep_strings and not found["comment"]):
            return found[0]
        if found["string"] or found["char"]:
            return found[0][0] + _blank(found[0][1:-1]) + found[0][-1]
        return _blank(found[0])
    return _HIDDEN.sub(replace, text)


def without_preprocessor(code):
    """Code with # lines and their continuations blanked: their braces need not match."""
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda found: _blank(found[0]), code, flags=re.MULTILINE)


def functions(text):
    """(first line, last line, header) of every function body outside of other functions."""
    code = without_preprocessor(code_only(text))
    found, stack, start = [], [], 0  # stack: (kind, offset of the header) of each open brace
    for at, letter in enumerate(code):
        if letter == "{":
            header = code[start:at]
            inside = any(kind != "scope" for kind, _ in stack)
            # A `)` after the keyword's name means a function that returns a struct.
            if _SCOPE.match(header) and not re.search(r"\)\s*(const|noexcept|override|\s)*$", header):
                kind = "scope"
            elif "(" in header and not inside:
                kind = "function"
            else:
                kind = "other"
            stack.append((kind, start + len(header) - len(header.lstrip())))
            start = at + 1
        elif letter == "}":
            if stack:
                kind, begin = stack.pop()
                if kind == "function":
                    first, last = code.count("\n", 0, begin) + 1, code.count("\n", 0, at) + 1
                    found.append((first, last, " ".join(code[begin:code.index("{", begin)].split())))
            start = at + 1
        elif letter == ";":
            start = at + 1
    return found


_NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\b\s*([\w:]*)\s*$")
# Not a specialisation (`struct Name<int>`), nor a type that was declared in another (`struct Outer::Name`).
_TYPE = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:enum\s+(?:class\s+|struct\s+)?|class\s+|struct\s+|union\s+)"
                   r"(?:\[\[.*?\]\]\s*)?(\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.DOTALL)
_ALIAS = re.compile(r"\s*(?:template\s*<.*>\s*)?using\s+(\w+)\s*=", re.DOTALL)


def types(text):
    """(line, name with its namespaces) of every type that is defined in a namespace with a name."""
    code = without_preprocessor(code_only(text))
    found, scopes, start = [], [], 0  # scopes: the name of each open namespace; None: anything else

    def add(match, begin):
        if None not in scopes:
            line = code.count("\n", 0, begin + match.start(1)) + 1
            found.append((line, "::".join(scopes + [match[1]])))

    for at in (hit.start() for hit in re.finditer(r"[{};]", code)):
        header = code[start:at]
        if code[at] == "{":
            if namespace := _NAMESPACE.match(header):
                scopes.append(namespace[1] or None)
            else:
                if a_type := _TYPE.match(header):
                    add(a_type, start)
                scopes.append(None)
        elif code[at] == "}":
            if scopes:
                scopes.pop()
        elif alias := _ALIAS.match(header):
            add(alias, start)
        start = at + 1
    return found
