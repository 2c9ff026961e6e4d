// A file that was written for one batch, at others: targets of reshapes and constants for each sample follow.
#include <gtest/gtest.h>

#include "tests/onnx_model.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Result<Program> at(const OnnxModel& model, int64_t batch) {
  auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  return bind(*graph, {.batch = batch});
}

// Heads apart and together again by reshapes with the batch in them, samples as axis 0 or, with `sequence_first`, 1.
void add_attention(OnnxModel& model, int64_t batch, bool sequence_first) {
  const int64_t tokens = 6, width = 8, heads = 2, head = 4;
  model.input("x", {int(batch), int(tokens), int(width)});
  model.weight("w", {width, width});
  std::string x = "x";
  if (sequence_first) {
    set_integers(model.node("Transpose", {"x"}, {"turned"}, "turn"), "perm", {1, 0, 2});
    x = "turned";
  }
  model.node("MatMul", {x, "w"}, {"projected"}, "project");
  if (sequence_first) {
    model.integers("apart", {tokens, batch * heads, head});
    model.node("Reshape", {"projected", "apart"}, {"q3"}, "apart");
    set_integers(model.node("Transpose", {"q3"}, {"q"}, "rows"), "perm", {1, 0, 2});
    set_integers(model.node("Transpose", {"q3"}, {"k"}, "columns"), "perm", {1, 2, 0});
  } else {
    model.integers("apart", {batch, tokens, heads, head});
    model.node("Reshape", {"projected", "apart"}, {"q4"}, "apart");
    set_integers(model.node("Transpose", {"q4"}, {"q"}, "rows"), "perm", {0, 2, 1, 3});
    set_integers(model.node("Transpose", {"q4"}, {"k"}, "columns"), "perm", {0, 2, 3, 1});
  }
  model.node("MatMul", {"q", "k"}, {"scores"}, "scores");
  model.integers("flat", sequence_first ? std::vector<int64_t>{batch, heads * tokens * tokens}
                                        : std::vector<int64_t>{batch, heads, tokens * tokens});
  model.node("Reshape", {"scores", "flat"}, {"y"}, "flatten");
  model.output("y");
}

// Positions repeated for each sample, and a map of features brought to other sizes.
TEST(BindBatch, RepeatsAndSizesFollowTheBatch) {
  OnnxModel model(17);
  model.input("x", {2, 3, 4, 4});
  model.weight("positions", {1, 3, 8, 8});
  model.weight("w", {5, 3, 1, 1});
  model.integers("sizes", {2, 3, 8, 8});
  model.integers("repeats", {2, 1, 1, 1});
  model.node("Resize", {"x", "", "", "sizes"}, {"large"}, "enlarge");
  model.node("Tile", {"positions", "repeats"}, {"each"}, "repeat");
  model.node("Add", {"large", "each"}, {"sum"}, "add");
  model.node("Conv", {"sum", "w"}, {"y"}, "project");
  model.output("y");
  const auto own = at(model, 2);
  ASSERT_TRUE(own.ok()) << own.error().line();
  for (const int64_t batch : {1, 3, 7}) {
    const auto other = at(model, batch);
    ASSERT_TRUE(other.ok()) << batch << ": " << other.error().line();
    EXPECT_EQ(macs(*other) * 2, macs(*own) * batch);
  }
}

TEST(BindBatch, ReshapesFollowTheBatch) {
  for (const bool sequence_first : {false, true})
    for (const int64_t written : {1, 2, 3}) {
      OnnxModel model(17);
      add_attention(model, written, sequence_first);
      const auto own = at(model, written);
      ASSERT_TRUE(own.ok()) << own.error().line();
      for (const int64_t batch : {1, 2, 5}) {
        const auto other = at(model, batch);
        ASSERT_TRUE(other.ok()) << written << " to " << batch << ": " << other.error().line();
        EXPECT_EQ(macs(*other) * written, macs(*own) * batch) << written << " to " << batch;
        EXPECT_EQ(other->value(other->outputs[0]).type->shape[0], batch);
      }
    }
}

TEST(BindBatch, ConstantsForEachSampleFollowTheBatch) {
  OnnxModel model(17);
  model.input("x", {2, 5, 4});
  model.weight("token", {2, 1, 4});
  model.weight("mask", {2, 6, 4});  // zeros: the same for both samples
  set_integer(model.node("Concat", {"token", "x"}, {"joined"}, "join"), "axis", 1);
  model.node("Mul", {"joined", "mask"}, {"y"}, "scale");
  model.output("y");
  const auto program = at(model, 7);
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->value(program->outputs[0]).type->shape, (Shape{7, 6, 4}));
}

TEST(BindBatch, WhatCannotFollowSaysHowToExport) {
  OnnxModel model(17);
  model.input("x", {2, 4});
  model.integers("rows", {0, 1});
  model.integers("fixed", {1, 8});
  model.node("Gather", {"x", "rows"}, {"both"}, "pick");  // the samples of a batch of two, by number
  model.node("Reshape", {"both", "fixed"}, {"y"}, "flatten");
  model.output("y");
  const auto program = at(model, 3);
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().line().find("exported for batch 2 and does not take another"), std::string::npos)
      << program.error().line();
  EXPECT_NE(program.error().hint.find("dynamic_shapes"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
