#!/usr/bin/env python3
"""The layer check finds each kind of wrong include, in small trees made for it."""
import pathlib
import tempfile
import unittest

import check_layers


class Layers(unittest.TestCase):
    def complaints(self, files):
        with tempfile.TemporaryDirectory() as folder:
            src = pathlib.Path(folder) / "src"
            for path, text in files.items():
                (src / path).parent.mkdir(parents=True, exist_ok=True)
                (src / path).write_text(text)
            return check_layers.check(src)

    def assert_one(self, expected, files):
        found = self.complaints(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def test_looking_down_is_fine(self):
        self.assertEqual([], self.complaints({
            "base/shape.h": '#include <vector>\n#include "base/units.h"\n',
            "model/ops/conv.cpp": '#include "base/shape.h"\n#include "model/ir/op.h"\n',
            "model/onnx/import.cpp": '#include "onnx/onnx.pb.h"\n',
            "model/zoo/vgg.cpp": '#include "model/ops/all_ops.h"\n#include "model/ir/graph.h"\n',
            "run/exec/conv.cpp": '#include <dnnl.hpp>\n#include <mpi.h>\n#include "plan/memory/plan.h"\n',
            "tell/cli/main.cpp": '#include "run/train/loop.h"\n#include "base/shape.h"\n'}))

    def test_looking_up(self):
        self.assert_one("src/base/shape.h:2: base includes model/ir/op.h",
                        {"base/shape.h": '\n#include "model/ir/op.h"\n'})
        self.assert_one("plan includes run/exec/a.h", {"plan/time/a.cpp": '#include "run/exec/a.h"\n'})

    def test_ir_stands_alone(self):
        self.assert_one("model/ir includes model/ops/conv.h", {"model/ir/bind.cpp": '#include "model/ops/conv.h"\n'})

    def test_kernels_stay_in_run(self):
        for header in ("dnnl.hpp", "oneapi/dnnl/dnnl.hpp", "mpi.h"):
            self.assert_one("kernels and MPI belong to run", {"plan/time/a.cpp": f"#include <{header}>\n"})
            self.assert_one("kernels and MPI belong to run", {"model/ops/a.cpp": f"#include <{header}>\n"})

    def test_paths_start_at_src(self):
        self.assert_one("write the path from src", {"model/ops/conv.cpp": '#include "window.h"\n'})

    def test_every_file_is_on_a_floor(self):
        self.assert_one("is on no floor", {"attic/a.cpp": "#include <vector>\n"})

    def test_circles_of_rooms(self):
        self.assert_one("circle: plan/memory -> plan/time (src/plan/memory/a.h:1), plan/time -> plan/memory", {
            "plan/memory/a.h": '#include "plan/time/b.h"\n', "plan/time/b.h": '#include "plan/memory/a.h"\n'})
        self.assert_one("circle", {"plan/a/a.h": '#include "plan/b/b.h"\n', "plan/b/b.h": '#include "plan/c/c.h"\n',
                                   "plan/c/c.h": '#include "plan/a/a.h"\n'})

    def test_one_way_between_rooms_is_fine(self):
        self.assertEqual([], self.complaints({"plan/a/a.h": '#include "plan/b/b.h"\n#include "plan/c/c.h"\n',
                                              "plan/b/b.h": '#include "plan/c/c.h"\n'}))

    def test_the_command_line_knows_few_rooms(self):
        rooms = ["base", "base/rows", "plan/ask", "run/ask", "run/train", "tell/report", "tell/serve", "tell/page"]
        def command_line(names):
            return {"tell/cli/main.cpp": "".join(f'#include "{name}/a.h"\n#include "{name}/b.h"\n' for name in names)}
        self.assertEqual([], self.complaints(command_line(rooms)))
        self.assert_one("tell/cli includes 9 rooms, at most 8 are allowed: base (src/tell/cli/main.cpp:1)",
                        command_line(rooms + ["model/zoo"]))


if __name__ == "__main__":
    unittest.main()
