#!/usr/bin/env python3
"""Every house rule fires on a bad example and is silent on a good one, so a rule that cannot fire is noticed."""
import unittest

import house_rules
from cpp_text import code_only, functions, types
from rules.rule import File


def body(lines):
    return "void f() {\n" + "  g();\n" * (lines - 2) + "}\n"


OPS_LIST = "#define PLIM_ALL_OPS(PLIM_OP) \\\n  PLIM_OP(add) \\\n  PLIM_OP(conv) \\\n  /* end */\n"
ADD = File("src/model/ops/add.cpp", "const Op& add_op() {\n}\n")
CONV = File("src/model/ops/conv.cpp", "const Op& conv_op() {\n}\n")
ZOO_LIST = File("src/model/zoo/all_models.cpp",
                "std::vector<ZooModel> vgg_models();\n  for (f : {\n     vgg_models,\n  })\n")
OPTIMIZERS = File("src/model/optim/all_optimizers.cpp", "  PLIM_OPTIMIZER(adam) \\\n  PLIM_OPTIMIZER(sgd) \\\n")
LIMITS = File("src/plan/verdict/scale.h", "inline constexpr int64_t kMost = 1'000'000;\n")
VERBS = File("src/tell/cli/all_commands.cpp",
             'Action declare_weigh(CLI::App& app);\n  {"weigh", "what it weighs", declare_weigh},\n')

# rule -> (good trees, bad trees); a tree is one File or a list of them. What must not stand in any
# file of ours, this one included, is put together from two halves.
EXAMPLES = {
    "telling_names": (
        [File("src/base/shape.h", ""), File("src/base/common_shapes.h", "")],
        [File("src/utils/a.h", ""), File("src/base/common.h", ""), File("tools/misc/a.py", ""),
         File("tests/helpers.cpp", ""), File("src/base/Util.h", "")]),
    "snake_case_names": (
        [File("src/base/for_type.h", ""), File("tools/fuzz.sh", ""), File("README.md", "")],
        [File("src/base/ForType.h", ""), File("src/base/for-type.cpp", ""), File("tools/2d.py", "")]),
    "header_says_what_it_is": (
        [File("src/base/a.h", "// Shapes.\n#pragma once\n")],
        [File("src/base/a.h", "#pragma once\n// Shapes.\n"), File("src/base/a.h", "//\n#pragma once\n"),
         File("src/base/a.h", "")]),
    "pragma_once": (
        [File("src/base/a.h", "// A.\n#pragma once\n")],
        [File("src/base/a.h", "// A. #pragma once\n#ifndef A\n")]),
    "short_files": (
        [File("src/base/a.cpp", "int a;\n" * 600)],
        [File("src/base/a.cpp", "int a;\n" * 601), File("tools/a.py", "a = 1\n" * 601)]),
    "short_functions": (
        [File("src/a.cpp", body(80)), File("src/a.cpp", "namespace plimsoll {\n" + body(60) + body(60) + "}\n"),
         File("src/a.cpp", "const int kTable[] = {\n" + "  1,\n" * 90 + "};\n"),
         File("src/a.cpp", "struct A {\n" + "  int f() { return 1; }\n" * 90 + "};\n")],
        [File("src/a.cpp", body(81)), File("src/a.cpp", "namespace plimsoll {\nclass A {\n" + body(81) + "};\n}\n"),
         File("src/a.cpp", 'A::A() : b_{1}, c_("{") ' + body(81)[9:]),
         File("tests/a.cpp", "TEST(A, B) {\n  auto f = [&] {\n    return x;\n  };\n" + "  f('{');\n" * 80 + "}\n")]),
    "narrow_lines": (
        [File("src/a.cpp", "x" * 120 + "\n" + "é" * 120), File("README.md", "x" * 200),
         File("web/dist/app.js", "x" * 121)],
        [File("src/a.cpp", "x" * 121), File("web/src/a.ts", "x" * 121), File("CMakeLists.txt", "x" * 121),
         File("Makefile", "x" * 121)]),
    "no_tabs": ([File("src/a.cpp", "  int a;\n"), File("Makefile", "a:\n\tb\n")], [File("src/a.cpp", "\tint a;\n")]),
    "no_trailing_spaces": (
        [File("src/a.cpp", "int a;\n\n"), File("tests/data/a.csv", "1, \n"), File("web/dist/app.js", "a; \n")],
        [File("src/a.cpp", "int a; \n"), File("README.md", "two \n"), File("tools/a.sh", "a\t\n")]),
    "no_marks": (
        [File("src/a.cpp", "// methods to do\nint HACKED;\n"), File("src/a.cpp", "// to" "do")],
        [File("src/a.cpp", f"// {mark}: later\n") for mark in ("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK")] +
        [File("README.md", "TO" "DO")]),
    "no_machine_paths": (
        [File("src/a.cpp", "// see ./work/a, net/home/b and https://host.org/root/x\n")],
        [File("docs/a.md", "cd /" "work/a\n"), File("tools/a.sh", '"/' 'root/x"'),
         File("tests/data/a.txt", "/" "home/me"), File("Makefile", "X=/" "home/")]),
    "no_registries": (
        [File("src/registry.cpp", "// registry.cpp, proxy.h; github.com/onnx/onnx, debian.org\n")],
        [File("web/package-lock.json", "https://registry.npm" "js.org/a"),
         File("Makefile", "http://deb.deb" "ian.org/debian"),
         File("tools/a.sh", "pip --index-url https://my-mirror.exam" "ple.com/simple"),
         File("README.md", "py" "pi.org")]),
    "one_namespace": (
        [File("src/a.cpp", "namespace plimsoll {\nnamespace {\n}\n}\nnamespace plimsoll::detail {\n}\n"),
         File("src/a.cpp", "namespace fs = std::filesystem;\n// namespace other {\nusing namespace std;\n")],
        [File("src/a.cpp", "namespace other {\n}\n"), File("tests/a.cpp", "namespace plimsoll::ops {\n}\n")]),
    "no_using_namespace": (
        [File("src/a.h", "using plimsoll::Shape;  // not using namespace std\n"),
         File("src/a.cpp", "using namespace std;")],
        [File("src/a.h", "using namespace std;\n")]),
    "quiet_floors": (
        [File("src/tell/cli/main.cpp", "std::cout << 1;"), File("src/base/check.cpp", "std::fprintf(stderr, 0);"),
         File("src/model/a.cpp", 'snprintf(b, 1, "printf(");  // std::cout\nstd::string print(const Graph& g);')],
        [File("src/model/a.cpp", text) for text in
         ("std::cout << 1;", "std::cerr << 1;", "printf(a);", "std::fprintf (stderr);", "puts(a);", "fmt::print(a);")]),
    "no_throw": (
        [File("src/model/a.cpp", "// never throw\nint throwing;")],
        [File("src/model/a.cpp", "throw 1;"), File("src/tell/a.cpp", "throw std::bad_alloc();")]),
    "catch_at_the_boundary": (
        [File("src/tell/a.cpp", "catch (...) {"), File("src/model/onnx/a.cpp", "catch (const E& e) {"),
         File("src/run/exec/onednn/a.cpp", "catch (const E& e) {")],
        [File("src/plan/a.cpp", "catch (...) {"), File("src/model/ops/a.cpp", "catch(const E& e) {")]),
    "no_views": (
        [File("src/a.cpp", "// std::views::filter\nstd::ranges::sort(a);")],
        [File("src/a.cpp", "a | std::views::filter(b);"), File("tests/a.h", "std::ranges::views::keys(a);")]),
    "macro_names": (
        [File("src/a.h", "#define PLIM_A 1\n// #define B\n")],
        [File("src/a.h", "#define A 1\n"), File("tests/a.cpp", "#  define CHECK_IT(x) x\n")]),
    "ops_are_listed": (
        [[File("src/model/ops/all_ops.cpp", OPS_LIST), ADD, CONV]],
        [[File("src/model/ops/all_ops.cpp", OPS_LIST), ADD],
         [File("src/model/ops/all_ops.cpp", OPS_LIST.replace("  PLIM_OP(add) \\\n", "")), ADD, CONV],
         [File("src/model/ops/all_ops.cpp", OPS_LIST.replace("add", "conv")), CONV],
         [File("src/model/ops/all_ops.cpp", OPS_LIST.replace("add", "max")), CONV,
          File("src/model/ops/max.cpp", ADD.text.replace("add", "max"))]]),
    "families_are_listed": (
        [[ZOO_LIST, File("src/model/zoo/vgg.cpp", "std::vector<ZooModel> vgg_models() {\n")]],
        [[ZOO_LIST, File("src/model/zoo/resnet.cpp", "std::vector<ZooModel> resnet_models() {\n")]]),
}
EXAMPLES["skips_say_why"] = (
    [File("tests/dist/a_test.cpp", 'if (!b) GTEST_SKIP() << "mpirun is missing";\n'),
     File("tests/dist/a_test.cpp", 'GTEST_SKIP()\n      << "a long reason";  // GTEST_SKIP();\n')],
    [File("tests/dist/a_test.cpp", "if (!mpirun) GTEST_SKIP();\n")])
EXAMPLES["no_disabled_tests"] = (
    [File("tests/unit/a_test.cpp", "TEST(Loader, IsNotDisabled) {\n")],
    [File("tests/unit/a_test.cpp", "TEST(Loader, DISABLED_Waits) {\n"),
     File("tests/unit/a_test.cpp", "TEST_F(DISABLED_Loader, Waits) {\n")])
EXAMPLES["optimizers_are_listed"] = (
    [[OPTIMIZERS, File("src/model/optim/sgd.cpp", "const Optimizer& sgd_optimizer() {\n")]],
    [[OPTIMIZERS, File("src/model/optim/lamb.cpp", "const Optimizer& lamb_optimizer() {\n")]])
EXAMPLES["verbs_are_listed"] = (
    [[VERBS, File("src/tell/cli/weigh.cpp", "Action declare_weigh(CLI::App& app) {\n")]],
    [[VERBS], [VERBS, File("src/tell/cli/weigh.cpp", ""), File("src/tell/cli/fit.cpp", "Action declare_fit(A a) {\n")]])
ALL_OPS = File("src/model/ops/all_ops.cpp", OPS_LIST)
EXAMPLES["named_operations_exist"] = (
    [[ALL_OPS, File("src/plan/a.cpp", 'if (o.op_name == "conv" || o.op->name != "add") f(op_named("conv"));\n')],
     [ALL_OPS, File("src/plan/a.cpp", 'static const Op op{.name = "fused"};\n  g(find_op("fused"));\n')]],
    [[ALL_OPS, File("src/plan/a.cpp", line)] for line in
     ('if (o.op_name == "covn") f();\n', 'if (o.op->name != "adds") f();\n', 'f(op_named("con"));\n',
      'if (is_named(o, "cov")) f();\n', 'only_reader(o.outputs[0], "reshap");\n')])
EXAMPLES["constants_are_not_hidden"] = (
    [[LIMITS, File("src/tell/cli/train.cpp", "constexpr int kFewest = 1;\n  constexpr int kMost = kFewest;\n")]],
    [[LIMITS, File("src/tell/cli/train.cpp", "constexpr int kFewest = 1, kMost = 100;\n")]])

PACK = File("src/plan/memory/pack.h", "namespace plimsoll {\nstruct Block {\n  int size;\n};\n}\n")
EXAMPLES["types_have_their_own_names"] = (
    [[PACK, File(path, text)] for path, text in (
        ("src/plan/memory/pack.cpp", "namespace plimsoll {\nstruct Block;\nBlock f() {\n}\n}\n"),
        ("src/model/hf/a.cpp", "namespace plimsoll {\nnamespace {\nstruct Block {\n};\n}\n}\n"),
        ("src/model/hf/a.h", "namespace plimsoll {\nclass Heap {\n  struct Block {\n  };\n};\n}\n"),
        ("src/model/hf/a.h", "namespace plimsoll::detail {\nstruct Block {\n};\n}\n"),
        ("src/model/hf/a.h", "namespace plimsoll {\ntemplate <>\nstruct Block<int> {\n};\nstruct Block::A {\n};\n}\n"),
        ("src/model/hf/a.h", "namespace plimsoll {\nvoid f() {\n  struct Block {\n  };\n}\n}\n"))],
    [[PACK, File("src/model/hf/decoder.h", f"namespace plimsoll {{\n{second}\n}}\n")] for second in (
        "enum class Block {\n  sequential,\n};", "enum Block : int { a };", "struct Block : Base<int> {\n};",
        "class Block final {\n};", "template <class T>\nstruct Block {\n};", "using Block = int;", "union Block {};")])


EXAMPLES["asides_do_not_throw"] = (
    [File("src/tell/cli/a.cpp", "print_aside(\"{}\\n\", line);\n"),
     File("src/tell/schema/a.cpp", "fmt::print(stderr, x);\n")],
    [File("src/tell/cli/a.cpp", "fmt::print(stderr, \"{}\\n\", line);\n")])
EXAMPLES["no_fences"] = (
    [File("src/run/a.cpp", "flag.load(std::memory_order_acquire);  // no atomic_thread_fence\n")],
    [File("src/run/a.cpp", "std::atomic_thread_fence(std::memory_order_acquire);\n")])
EXAMPLES["headers_have_their_own_names"] = (
    [[PACK, File("src/plan/memory/pack.cpp", ""), File("tests/unit/pack.h", "")]],
    [[PACK, File("src/run/data/pack.h", "")]])
EXAMPLES["precompiled_names_are_included"] = (
    [[PACK, File(path, text)] for path, text in (
        ("src/plan/a.cpp", "#include <fmt/format.h>\nauto a = fmt::format(b);\n"),
        ("src/plan/a.cpp", "// fmt::format\n"), ("src/plan/a.cpp", "auto a = format(b);\n"))]
    + [[File("src/base/said.h", "#include <fmt/format.h>\n"), File("src/plan/b.h", '#include "base/said.h"\n'),
        File("src/plan/a.cpp", '#include "plan/b.h"\nauto a = fmt::format(b);\n')]],
    [[PACK, File("src/plan/a.cpp", '#include "plan/memory/pack.h"\nauto a = fmt::format(b);\n')],
     [PACK, File("src/plan/a.h", '#include "plan/memory/pack.h"\nResult<int> a();\n')]])

ROOMS = [File("src/model/ops/conv.cpp", ""), File("catalog/devices/nvidia-t4.json", ""), File("docs/accuracy.md", ""),
         File("LICENSE", "")]
EXAMPLES["named_paths_exist"] = (
    [ROOMS + [File(path, text)] for path, text in (
        ("README.md", "`src/model/ops`, `src/model/ops/conv.cpp`, `model/ops/`, `conv.cpp:12`, `ops/conv.cpp`"),
        ("README.md", "`catalog/devices/NAME.json`, `src/*/ops`, `src/…/conv.cpp`, [tables](docs/accuracy.md#memory)"),
        ("README.md", "`build/plimsoll`, `runs/a/log.jsonl`, `./mine.json`, `FLOPs/byte`, https://a.org/src/b.cpp"),
        ("README.md", "```\ncat src/model/ops/conv.cpp > out/a.txt\n```\n![a picture](docs/pictures/a.png)"),
        ("docs/b.md", "[licence](../LICENSE), [tables](accuracy.md), `docs/accuracy.md`"),
        ("CHANGELOG.md", "`src/model/old`"), ("src/model/ops/add.cpp", "// `src/model/old`"))],
    [ROOMS + [File(path, text)] for path, text in (
        ("README.md", "`src/model/old`"), ("README.md", "`model/old`"), ("README.md", "`old.cpp`"),
        ("README.md", "`src/ops/conv.cpp`"), ("README.md", "`catalog/networks/NAME.json`"), ("README.md", "`src/o*`"),
        ("README.md", "```\ncat src/model/ops/old.cpp\n```\n"), ("README.md", "[tables](accuracy.md)"),
        ("docs/b.md", "[tables](docs/accuracy.md)"), ("docs/b.md", "`run tools`, then `docs/old.md`"))])


def broken_by(tree):
    files = tree if isinstance(tree, list) else [tree]
    return {rule.name for rule, _, _, _ in house_rules.broken(files)}


class HouseRules(unittest.TestCase):
    def test_every_rule_has_examples(self):
        self.assertEqual({rule.name for rule in house_rules.RULES}, set(EXAMPLES))

    def test_good_examples_pass(self):
        for name, (good, _) in EXAMPLES.items():
            for tree in good:
                with self.subTest(rule=name, tree=str(tree)):
                    self.assertNotIn(name, broken_by(tree))

    def test_bad_examples_are_found(self):
        for name, (_, bad) in EXAMPLES.items():
            for number, tree in enumerate(bad):
                with self.subTest(rule=name, bad_example=number):
                    self.assertIn(name, broken_by(tree))

    def test_the_line_is_named(self):
        found = list(house_rules.broken([File("src/model/a.cpp", "namespace plimsoll {\n\nthrow 1;\n}\n")]))
        self.assertEqual([("no_throw", "src/model/a.cpp", 3)], [(one.name, path, line) for one, path, line, _ in found])


class CppText(unittest.TestCase):
    def test_comments_and_strings_are_blanked_in_place(self):
        self.assertEqual(code_only('a; // b "c\nd("{//}"); e'), 'a;' + " " * 8 + '\nd("    "); e')
        self.assertEqual(code_only('a /* " \n */ b'), "a      \n    b")
        self.assertEqual(code_only('R"x(")" } )x" + 1\'000 + \'"\' + y'), " " * 14 + "+ 1'000 + ' ' + y")

    def test_functions_are_found_with_their_lines(self):
        text = "#define PLIM_A(x) {\\\n {\nint f()\n{\n  if (a) { b(); }\n}\nstruct S {\n  S() : a{1} { g(); }\n};\n"
        self.assertEqual([(first, last) for first, last, _ in functions(text)][0], (3, 6))
        self.assertIn((8, 8), [(first, last) for first, last, _ in functions(text)])

    def test_types_are_found_with_their_lines(self):
        text = "namespace a {\nstruct B {\n  struct C {};\n};\nnamespace b {\nusing D = B;\n}\n}\nenum E { f };\n"
        self.assertEqual(types(text), [(2, "a::B"), (6, "a::b::D"), (9, "E")])


if __name__ == "__main__":
    unittest.main()
