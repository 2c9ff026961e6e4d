// Composite operations are written out as what they stand for: known, counted, trained, and the same numbers.
#include "model/onnx/composites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/ir/bind.h"
#include "model/ir/evaluate_graph.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "plan/memory/framework_attention.h"
#include "tests/onnx_model.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

void set_number(onnx::NodeProto& node, const std::string& name, float value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::FLOAT);
  attribute->set_f(value);
}

Program bound(const OnnxModel& model, int64_t batch = 2) {
  const auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  if (!graph.ok()) return {};
  EXPECT_TRUE(validate(*graph).ok());
  auto program = bind(*graph, {.batch = batch});
  EXPECT_TRUE(program.ok()) << program.error().line();
  return program.ok() ? *program : Program{};
}

int64_t count(const Program& program, std::string_view name) {
  return std::count_if(program.operations.begin(), program.operations.end(),
                       [&](const Operation& operation) { return operation.op_name == name; });
}

bool all_known(const Program& program) {
  return std::all_of(program.operations.begin(), program.operations.end(),
                     [](const Operation& operation) { return operation.certainty == Certainty::exact; });
}

// x · Wq, Wk, Wv, three axes with heads as attributes.
void add_attention(OnnxModel& model, int64_t heads, int64_t kv_heads, bool causal) {
  model.input("x", {"batch", 6, 16});
  model.weight("wq", {16, 4 * heads});
  model.weight("wk", {16, 4 * kv_heads});
  model.weight("wv", {16, 4 * kv_heads});
  model.node("MatMul", {"x", "wq"}, {"q"}, "q");
  model.node("MatMul", {"x", "wk"}, {"k"}, "k");
  model.node("MatMul", {"x", "wv"}, {"v"}, "v");
  auto& attention = model.node("Attention", {"q", "k", "v"}, {"y"}, "attention");
  set_integer(attention, "q_num_heads", heads);
  set_integer(attention, "kv_num_heads", kv_heads);
  set_integer(attention, "is_causal", causal ? 1 : 0);
  model.output("y");
}

TEST(Composites, AttentionOfOpset23CountsItsProducts) {
  OnnxModel model(23);
  add_attention(model, 4, 2, true);
  const Program program = bound(model);
  EXPECT_TRUE(all_known(program));
  const int64_t projections = 2 * 6 * 16 * (16 + 8 + 8), products = 2 * (2 * 4 * 6 * 6 * 4);
  EXPECT_EQ(macs(program), projections + products);
  EXPECT_EQ(program.value(program.outputs[0]).type->shape, (Shape{2, 6, 16}));
}

TEST(Composites, AttentionIsFusedAgainAndTrains) {
  OnnxModel model(23);
  add_attention(model, 4, 4, true);
  for (const AttentionKernel kernel : {AttentionKernel::as_it_is, AttentionKernel::eager}) {
    Program program = bound(model);
    fuse_attention(program, kernel);
    const bool fused = kernel == AttentionKernel::as_it_is;
    EXPECT_EQ(count(program, "fused_attention"), fused ? 1 : 0);
    EXPECT_EQ(count(program, "softmax"), fused ? 0 : 1);
    StepOptions options{.fuse = false};
    options.optimizer = *find_optimizer("sgd");
    const auto step = make_step(std::move(program), options);
    ASSERT_TRUE(step.ok()) << step.error().line();
  }
}

TEST(Composites, MaskOfBooleansHides) {
  OnnxModel model(23);
  model.input("x", {"batch", 2, 3, 4});
  model.input("seen", {"batch", 1, 3, 3}, onnx::TensorProto::BOOL);
  auto& attention = model.node("Attention", {"x", "x", "x", "seen"}, {"y"}, "attention");
  set_number(attention, "scale", 0.5F);
  model.output("y");
  const Program program = bound(model);
  EXPECT_EQ(count(program, "where"), 2) << "what is hidden, and nothing for rows that see nothing";
  EXPECT_EQ(count(program, "is_nan"), 1);
  EXPECT_TRUE(all_known(program));
}

TEST(Composites, OnnxruntimesDecoderAttentionKeepsItsCache) {
  OnnxModel model(17);
  auto* domain = model.proto.add_opset_import();
  domain->set_domain("com.microsoft");
  domain->set_version(1);
  model.input("q", {"batch", 1, 32});
  model.input("k", {"batch", 1, 16});
  model.input("v", {"batch", 1, 16});
  model.input("past_k", {"batch", 2, "past", 8});
  model.input("past_v", {"batch", 2, "past", 8});
  auto& attention =
      model.node("GroupQueryAttention", {"q", "k", "v", "past_k", "past_v"}, {"y", "new_k", "new_v"}, "gqa");
  attention.set_domain("com.microsoft");
  set_integer(attention, "num_heads", 4);
  set_integer(attention, "kv_num_heads", 2);
  for (const char* output : {"y", "new_k", "new_v"}) model.output(output);
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  const auto program = bind(*graph, {.batch = 3, .dims = {{"past", 9}}});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_TRUE(all_known(*program));
  EXPECT_EQ(program->value(program->outputs[0]).type->shape, (Shape{3, 1, 32}));
  EXPECT_EQ(program->value(program->outputs[1]).type->shape, (Shape{3, 2, 10, 8}));
  EXPECT_EQ(macs(*program), 2 * 3 * 4 * 10 * 8);
}

TEST(Composites, WhatCannotBeWrittenOutStaysUnknown) {
  OnnxModel model(23);
  model.input("x", {"batch", 6, 16});
  auto& attention = model.node("Attention", {"x", "x", "x"}, {"y"}, "attention");
  set_integer(attention, "q_num_heads", 4);
  set_integer(attention, "kv_num_heads", 3);
  model.output("y");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->nodes.at(0).op, nullptr);
}

TEST(Composites, AreHeldToTheLimitOfNodes) {
  OnnxModel model(23);
  add_attention(model, 4, 2, true);
  const auto graph = import_onnx_bytes(model.bytes(), {.nodes = 10});
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(graph.error().line().find("more than 10 nodes"), std::string::npos) << graph.error().line();
}

}  // namespace
}  // namespace plimsoll
