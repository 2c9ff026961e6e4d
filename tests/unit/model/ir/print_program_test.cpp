#include "model/ir/print_program.h"

#include <gtest/gtest.h>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/passes/pipeline.h"

namespace plimsoll {
namespace {

Program small_step() {
  Builder b("net", Shape{2, 4, 4});
  const ValueId x = b.relu("relu", b.conv("conv", b.input(), 3, {.kernel = {3, 3}, .bias = false}));
  return *make_step(*bind(*b.finish(b.flatten("flat", x)), {.batch = 2}), {.fuse = false});
}

TEST(PrintProgram, OneLineAnOperation) {
  EXPECT_EQ(print(small_step()),
            "program net, batch 2\n"
            "  input      %0 : f32 2x2x4x4  # input\n"
            "  parameter  %1 : f32 3x2x3x3  # conv.weight\n"
            "  forward    %2 = conv(%0, %1) {kernel_shape=[3 3], strides=[1 1], pads=[0 0 0 0], dilations=[1 1], "
            "group=1} : f32 2x3x2x2  # conv\n"
            "  forward    %3 = relu(%2) : f32 2x3x2x2 in %2  # relu\n"
            "  forward    %4 = flatten(%3) {axis=1} : f32 2x12 in %3  # flat\n"
            "  outputs    %4\n");
}

TEST(PrintProgram, TheSameEveryTime) { EXPECT_EQ(print(small_step()), print(small_step())); }

TEST(PrintProgram, NamesFromAFileCannotSpoilTheLine) {
  Program program = small_step();
  program.operations[0].name = "two\nlines\x1b[31m";
  const std::string text = print(program);
  EXPECT_EQ(text.find("two\nlines"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
