"""House rules: lists and what they list."""
from cpp_text import without_preprocessor
from rules.rule import is_cpp, is_source, matches, rule


@rule("Every operation is a function in src/model/ops and one line of all_ops.cpp, in alphabetical order.",
      lambda file: is_cpp(file) and file.under("src/model/ops"), tree=True)
def ops_are_listed(files):
    listed, defined = {}, {}
    for file in files:
        if file.name == "all_ops.cpp":
            for line, found in matches(r"\bPLIM_OP\(\w+\)(?= *\\)", file.text):
                name = found[len("PLIM_OP("):-1]
                if name in listed:
                    yield file.path, line, f"{name} is listed twice"
                if listed and name < list(listed)[-1]:
                    yield file.path, line, f"{name} is listed out of alphabetical order"
                listed[name] = file.path, line
        for line, found in matches(r"^const Op& \w+_op\(\)(?= *\{)", without_preprocessor(file.code)):
            defined[found[len("const Op& "):-len("_op()")]] = file.path, line
    for name in sorted(defined.keys() - listed.keys()):
        yield *defined[name], f"{name}_op() is not in all_ops.cpp"
    for name in sorted(listed.keys() - defined.keys()):
        yield *listed[name], f"{name}_op() is nowhere"


# An operation by its name in our code: compared, looked up, or looked for by a pass.
NAMED_OPERATIONS = (r'\bop_name *[!=]= *"\w+"', r'\bop->name *[!=]= *"\w+"', r'\bop_named\("\w+"\)',
                    r'\bfind_op\("\w+"\)', r'\bis_named\([^"()]*"\w+"\)',
                    r'\bonly_(?:reader|producer)\([^"]*"\w+"\)')


@rule("An operation that code names is in all_ops.cpp, or made elsewhere by that name.", is_source, tree=True)
def named_operations_exist(files):
    known = {found[len("PLIM_OP("):-1] for file in files if file.name == "all_ops.cpp"
             for _, found in matches(r"\bPLIM_OP\(\w+\)", file.text)}
    for file in files:
        known |= {found.split('"')[1] for _, found in matches(r'\bOp op\{\.name = "\w+"', file.text)}
    for file in files:
        for pattern in NAMED_OPERATIONS:
            for line, found in matches(pattern, file.text):
                name = found.split('"')[1]
                if name.removesuffix("_grad") not in known and name not in known:
                    yield file.path, line, f"no operation is called {name}"


@rule("Every family of networks is a function in src/model/zoo and a line in all_models.cpp.",
      lambda file: is_cpp(file) and file.under("src/model/zoo"), tree=True)
def families_are_listed(files):
    listed = {found for file in files if file.name == "all_models.cpp"
              for _, found in matches(r"\b\w+_models(?=,)", file.code)}
    for file in files:
        for line, found in matches(r"^std::vector<ZooModel> \w+_models\(\)(?= *\{)", file.code):
            name = found.split()[-1][:-len("()")]
            if name not in listed:
                yield file.path, line, f"{name}() is not in all_models.cpp"


@rule("Every optimizer is a function in src/model/optim and a line in all_optimizers.cpp.",
      lambda file: is_cpp(file) and file.under("src/model/optim"), tree=True)
def optimizers_are_listed(files):
    listed = {found[len("PLIM_OPTIMIZER("):-1] for file in files if file.name == "all_optimizers.cpp"
              for _, found in matches(r"\bPLIM_OPTIMIZER\(\w+\)(?= *\\)", file.text)}
    for file in files:
        for line, found in matches(r"^const Optimizer& \w+_optimizer\(\)(?= *\{)", without_preprocessor(file.code)):
            name = found.split()[-1]
            if name[:-len("_optimizer()")] not in listed:
                yield file.path, line, f"{name} is not in all_optimizers.cpp"


@rule("Every verb is a file of its name in src/tell/cli and a line in all_commands.cpp.",
      lambda file: is_cpp(file) and file.under("src/tell/cli"), tree=True)
def verbs_are_listed(files):
    paths = {file.path for file in files}
    listed = set()
    for file in files:
        if file.name != "all_commands.cpp":
            continue
        for line, found in matches(r'\{"[\w-]+",\s*"[^"]*",\s*declare_\w+\}', file.text):
            verb, declare = found[2:].split('"')[0], found[:-1].split("declare_")[1]
            listed.add(declare)
            if f"src/tell/cli/{declare}.cpp" not in paths or verb.replace("-", "_") != declare:
                yield file.path, line, f"{verb} is not declared in src/tell/cli/{verb}.cpp"
    for file in files:
        for line, found in matches(r"^Action declare_\w+(?=\([^;]*\{)", file.code):
            if found.split("declare_")[1] not in listed:
                yield file.path, line, f"{found.split()[1]} is not in all_commands.cpp"
