#include "plan/memory/declined.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Program program_of(const std::vector<const Op*>& ops) {
  Program program;
  for (const Op* op : ops) {
    Operation operation;
    operation.op = op;
    operation.op_name = op->name;
    operation.fused = "+relu";  // what was fused makes no group of its own
    operation.name = "layer" + std::to_string(program.operations.size());
    program.operations.push_back(operation);
  }
  return program;
}

TEST(Declined, OneGroupAnOpAndReason) {
  const Op conv{.name = "conv"}, tile{.name = "tile"};
  const Program program = program_of({&conv, &conv, &tile, &conv});
  const Declined declined[] = {{0, "winograd", "its kernel is not 3x3", "conv"},
                               {0, "fft", "its kernel is 1x1", "conv"},
                               {1, "winograd", "its kernel is not 3x3", "conv"},
                               {2, {}, "no kernel is written for it", kByReference},
                               {3, "winograd", "not f32", kByReference}};
  const auto groups = grouped(program, declined);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].op, "tile");  // what runs by reference maths comes first
  EXPECT_EQ(groups[1].reason, "not f32");
  EXPECT_EQ(groups[2].operations, 2);
  EXPECT_EQ(line_of(groups[2]), "2 conv (first: layer0): not by winograd, its kernel is not 3x3; taken by conv");
  EXPECT_EQ(line_of(groups[0]), "1 tile (first: layer2): no kernel is written for it; taken by reference");
}

TEST(Declined, NothingDeclinedIsNoGroup) { EXPECT_TRUE(grouped(Program{}, {}).empty()); }

}  // namespace
}  // namespace plimsoll
