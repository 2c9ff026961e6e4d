"""House rules: what C++ may and may not do."""
import re

from rules.rule import is_cpp, is_header, is_source, matches, rule


@rule("One namespace, plimsoll (with detail, and example for short spellings in operations' examples; CLI to name "
      "CLI11's types).", is_cpp)
def one_namespace(file):
    for line, found in matches(r"\bnamespace\s+[\w:]+(?=\s*[{;])", re.sub(r"\busing\s+namespace", " ", file.code)):
        if found.split()[1] not in ("plimsoll", "plimsoll::detail", "plimsoll::example", "CLI"):
            yield line, found


@rule("A header does not open namespaces for those who include it.", is_header)
def no_using_namespace(file):
    yield from matches(r"\busing\s+namespace\s+[\w:]+", file.code)


@rule("Only tell speaks to the user: nothing is printed elsewhere.",
      lambda file: is_source(file) and not file.under("src/tell", "src/base/check.cpp"))
def quiet_floors(file):
    yield from matches(r"\bstd::(cout|cerr|clog)\b|\b(v?f?printf|f?puts|f?putc|putchar)\s*\(|\bfmt::print\b", file.code)


@rule("To standard error by print_aside: fmt::print throws where it is closed or full, and ends a training.",
      lambda file: is_source(file) and file.under("src/tell/cli"))
def asides_do_not_throw(file):
    yield from matches(r"\bfmt::print\(\s*stderr\b", file.code)


@rule("Errors are Results: nothing is thrown.", is_source)
def no_throw(file):
    yield from matches(r"\bthrow\b", file.code)


@rule("Exceptions of libraries are caught where we call them, in tell, model/onnx, run/exec/onednn and run/exec/torch, "
      "at the C interface and where a training takes its memory.",
      lambda file: is_source(file) and not file.under("src/tell", "src/model/onnx", "src/run/exec/onednn",
                                                      "src/run/exec/torch/torch_allocator.cpp",
                                                      "src/plan/ask/c_answer.h", "src/run/train/training_run.cpp"))
def catch_at_the_boundary(file):
    yield from matches(r"\bcatch\s*\(", file.code)


@rule("No views of ranges: clang 14, which builds the fuzzers, cannot read those of gcc's library.", is_cpp)
def no_views(file):
    yield from matches(r"\bstd::(?:ranges::)?views::", file.code)


@rule("No fences: ThreadSanitizer does not understand them, and its build ends there.", is_cpp)
def no_fences(file):
    yield from matches(r"\batomic_(?:thread|signal)_fence\b", file.code)


@rule("Our macros start with PLIM_; the public ones with PLIMSOLL_.", is_cpp)
def macro_names(file):
    for line, found in matches(r"^[ \t]*#[ \t]*define[ \t]+\w+", file.code):
        if not found.split()[-1].startswith("PLIMSOLL_" if file.under("include") else "PLIM_"):
            yield line, found


@rule("A test that cannot run here says why, in words that ctest shows.",
      lambda file: is_cpp(file) and file.under("tests"))
def skips_say_why(file):
    yield from matches(r"\bGTEST_SKIP\(\)(?!\s*<<)", file.code)


@rule("No test is switched off.", lambda file: is_cpp(file) and file.under("tests"))
def no_disabled_tests(file):
    yield from matches(r"\bDISABLED_\w*", file.code)
