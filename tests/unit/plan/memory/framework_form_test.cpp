#include "plan/memory/framework_form.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

Program forward(const std::string& network, const FrameworkForm& form) {
  const auto graph = build_model(network, {});
  auto program = bind(*graph, {.batch = 2, .parameters = DType::f32, .activations = DType::f32});
  EXPECT_TRUE(program.ok());
  take_form(*program, form);
  return *program;
}

int64_t count(const Program& program, std::string_view name) {
  return std::count_if(program.operations.begin(), program.operations.end(),
                       [&](const Operation& operation) { return operation.op_name == name; });
}

DType output_of(const Program& program, const std::string& name) {
  for (const auto& operation : program.operations)
    if (operation.name.ends_with(name)) return program.value(operation.outputs[0]).type->dtype;
  ADD_FAILURE() << "no operation " << name;
  return DType::f64;
}

TEST(FrameworkForm, AutocastComputesProductsInSixteenBits) {
  const Program vit = forward("vit_b_16", {.pytorch = true, .autocast = DType::f16});
  EXPECT_EQ(output_of(vit, "encoder_layer_0.mlp.0"), DType::f16);
  EXPECT_EQ(output_of(vit, "encoder_layer_0.mlp.1"), DType::f16);  // an activation follows its input
  EXPECT_EQ(output_of(vit, "encoder_layer_0.ln_1"), DType::f32);
  EXPECT_EQ(output_of(vit, "encoder_layer_0.self_attention.softmax"), DType::f32);
  // A position of 32 bits was added in front, and nothing makes the stream narrower again.
  EXPECT_EQ(output_of(vit, "encoder_layer_11.add_2"), DType::f32);
}

TEST(FrameworkForm, AutocastLeavesBatchNormsInTheFormatOfTheirData) {
  const Program resnet = forward("resnet18", {.pytorch = true, .autocast = DType::bf16});
  EXPECT_EQ(output_of(resnet, "layer1.0.bn1"), DType::bf16);
  for (const auto& value : resnet.values) {
    if (value.role == Role::parameter) {
      EXPECT_EQ(value.type->dtype, DType::f32) << value.name;
    }
  }
}

TEST(FrameworkForm, EveryWeightIsCastOnce) {
  const Program resnet = forward("resnet18", {.pytorch = true, .autocast = DType::f16});
  std::vector<int32_t> cast;
  for (const auto& operation : resnet.operations)
    if (operation.op_name == "cast" && resnet.value(operation.inputs[0]).role == Role::parameter)
      cast.push_back(operation.inputs[0].index);
  std::sort(cast.begin(), cast.end());
  EXPECT_EQ(std::adjacent_find(cast.begin(), cast.end()), cast.end());
  EXPECT_EQ(cast.size(), 22U);  // 20 convolutions, weights and bias of the last layer
}

TEST(FrameworkForm, AttentionBecomesOneOperation) {
  const Program vit = forward("vit_b_16", {.pytorch = true, .fused_attention = true});
  EXPECT_EQ(count(vit, "fused_attention"), 12);
  EXPECT_EQ(count(vit, "softmax"), 0);
  const Program swin = forward("swin_t", {.pytorch = true, .fused_attention = true});
  EXPECT_EQ(count(swin, "fused_attention"), 0);  // its scores have a learned bias
}

TEST(FrameworkForm, AFusedAttentionTrains) {
  StepOptions options{.fuse = false};
  options.optimizer = *find_optimizer("momentum");
  const auto step =
      make_step(forward("vit_b_16", {.pytorch = true, .autocast = DType::f16, .fused_attention = true}), options);
  ASSERT_TRUE(step.ok()) << step.error().line();
  EXPECT_EQ(count(*step, "fused_attention_grad"), 12);
}

}  // namespace
}  // namespace plimsoll
