// Every operation of all_ops, over its own examples: the reference maths fills exactly the shape
// that the shape rule promised, costs are finite and grow with the batch, and no operation hides
// without a name, a rule or an example.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr size_t kGuard = 64;  // bytes before and after an output that nobody may touch

class EveryOp : public testing::TestWithParam<const Op*> {};
class EveryRule : public EveryOp {};       // ops with rules of their own: all but control flow
class EveryReference : public EveryOp {};  // and with reference maths: all but random numbers

template <class Condition>
std::vector<const Op*> ops_where(Condition condition) {
  std::vector<const Op*> ops;
  for (const Op* op : all_ops())
    if (condition(*op)) ops.push_back(op);
  return ops;
}

std::string name_of_op(const testing::TestParamInfo<const Op*>& info) { return std::string(info.param->name); }

// Contents that are harmless for any op: small positive numbers, indices 0 or 1.
Tensor fill(const OpExample::Input& input, uint32_t seed) {
  if (input.constant) return *input.constant;
  Tensor tensor(input.type);
  std::mt19937 random(seed);
  for_type(input.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < tensor.size(); ++i)
      tensor.as<T>()[i] = std::is_floating_point_v<T> ? T(0.1 + double(random() % 800) / 1000) : T(random() % 2);
  });
  return tensor;
}

// The outputs' bytes when they were first filled with `background`, guards checked.
std::vector<std::vector<std::byte>> run(const Op& op, const OpExample& example, std::byte background, bool* computed) {
  std::vector<Tensor> inputs;
  for (const auto& input : example.inputs) inputs.push_back(fill(input, uint32_t(inputs.size())));
  std::vector<const TensorType*> types;
  std::vector<const Tensor*> constants;
  std::vector<TensorView> in, out;
  for (auto& input : inputs) {
    types.push_back(&input.type);
    constants.push_back(&input);
    in.emplace_back(input);
  }
  OpCall call(example.attributes, types, constants, example.outputs);
  call.outputs = infer(op, call).value();
  std::vector<std::vector<std::byte>> memory;
  for (const auto& type : call.outputs)
    memory.emplace_back(size_t(type.elements().value()) * element_size(type.dtype) + 2 * kGuard, background);
  for (size_t i = 0; i < memory.size(); ++i) out.emplace_back(call.outputs[i], memory[i].data() + kGuard);
  *computed = op.reference(call, in, out);
  for (auto& bytes : memory) {
    for (size_t i = 0; i < kGuard; ++i) {
      EXPECT_EQ(bytes[i], background) << "wrote before its output";
      EXPECT_EQ(bytes[bytes.size() - 1 - i], background) << "wrote past its output";
    }
  }
  return memory;
}

// Each weight of numbers that can be trained says how it starts, in letters that start_rule.cpp reads. (The rows of a
// table start as small random numbers.)
TEST_P(EveryOp, SaysHowItsWeightsStart) {
  const Op& op = *GetParam();
  EXPECT_EQ(op.starts.find_first_not_of("ktmgafq01s"), std::string_view::npos) << op.starts;
  if (!op.examples || op.kind == OpKind::movement) return;
  for (const auto& example : op.examples())
    for (size_t i = 0; i < example.inputs.size(); ++i)
      if (op.role(i) == 'w' && is_floating(example.inputs[i].type.dtype)) {
        EXPECT_NE(op.start(i), 's') << "input " << i;
      }
}

TEST_P(EveryOp, HasANameARuleAndExamples) {
  const Op& op = *GetParam();
  EXPECT_FALSE(op.name.empty());
  if (op.control != Control::none) return;
  ASSERT_NE(op.infer, nullptr);
  ASSERT_NE(op.examples, nullptr);
  EXPECT_FALSE(op.examples().empty());
}

// Run over a background of 0x00 and over one of 0xA5: an element that the maths leaves out keeps
// its background and differs.
TEST_P(EveryReference, FillsExactlyTheInferredShape) {
  const Op& op = *GetParam();
  for (const auto& example : op.examples()) {
    SCOPED_TRACE(std::string(op.name) + ": " + example.what);
    bool computed = false;
    const auto first = run(op, example, std::byte{0x00}, &computed);
    ASSERT_TRUE(computed) << "declined its own example";
    const auto second = run(op, example, std::byte{0xA5}, &computed);
    for (size_t i = 0; i < first.size(); ++i)
      EXPECT_TRUE(std::equal(first[i].begin() + kGuard, first[i].end() - kGuard, second[i].begin() + kGuard))
          << "output " << i << " is not fully written";
  }
}

Cost cost_of(const Op& op, const OpExample& example, int64_t times) {
  std::vector<TensorType> types;
  std::vector<const TensorType*> pointers;
  std::vector<const Tensor*> constants;
  for (size_t i = 0; i < example.inputs.size(); ++i) {
    types.push_back(example.inputs[i].type);
    // Targets come with the batch, also where an example has them as constants.
    const bool grows = op.role(i) == 't' || (op.role(i) == 'x' && !example.inputs[i].constant);
    if (grows && types[i].shape.rank() > 0) types[i].shape[0] *= times;
    constants.push_back(op.role(i) == 't' && times > 1 ? nullptr : example.inputs[i].constant.get());
  }
  for (const auto& type : types) pointers.push_back(&type);
  OpCall call(example.attributes, pointers, constants, example.outputs);
  auto outputs = infer(op, call);
  EXPECT_TRUE(outputs.ok()) << outputs.error().line();
  if (!outputs.ok()) return {};
  call.outputs = *outputs;
  EXPECT_FALSE(bytes_moved(op, call).overflowed());
  return op.cost ? op.cost(call) : Cost{};
}

TEST_P(EveryRule, CostsAreFiniteAndGrowLinearlyInTheBatch) {
  const Op& op = *GetParam();
  for (const auto& example : op.examples()) {
    SCOPED_TRACE(std::string(op.name) + ": " + example.what);
    const Cost once = cost_of(op, example, 1);
    EXPECT_GE(once.flops.value(), 0);
    EXPECT_GE(once.flops.value(), once.macs.value());
    EXPECT_FALSE(once.flops.overflowed());
    if (!example.linear_in_batch) continue;
    const Cost thrice = cost_of(op, example, 3);
    EXPECT_EQ(thrice.flops.value(), 3 * once.flops.value());
    EXPECT_EQ(thrice.macs.value(), 3 * once.macs.value());
  }
}

// What is only weighed, never run by us: written by onnxruntime's optimizer, or fitted by another program. An op that
// loses its maths is noticed here.
// clang-format off
constexpr std::string_view kOnlyWeighed[] = {
    "matmul_nbits",
    "ml_array_feature_extractor",
    "ml_binarizer",
    "ml_category_mapper",
    "ml_feature_vectorizer",
    "ml_imputer",
    "ml_label_encoder",
    "ml_linear_classifier",
    "ml_linear_regressor",
    "ml_normalizer",
    "ml_one_hot_encoder",
    "ml_scaler",
    "ml_svm_classifier",
    "ml_svm_regressor",
    "ml_tree_ensemble_classifier",
    "ml_tree_ensemble_regressor",
    "ml_zip_map",
    "nchwc_conv",
    "nchwc_global_pool",
    "nchwc_pool",
    "nchwc_reorder",
    "qgemm",
    "qlinear_add",
    "qlinear_average_pool",
    "qlinear_concat",
    "qlinear_global_average_pool",
    "qlinear_leaky_relu",
    "qlinear_mul",
    "qlinear_sigmoid",
    "qlinear_softmax",
};
// clang-format on

// A loop has one for what it collects when it is written out.
TEST(AllOps, OnlyRandomNumbersControlFlowAndTheListHaveNoReference) {
  EXPECT_TRUE(std::is_sorted(std::begin(kOnlyWeighed), std::end(kOnlyWeighed)));
  for (const Op* op : all_ops()) {
    const bool listed = std::find(std::begin(kOnlyWeighed), std::end(kOnlyWeighed), op->name) != std::end(kOnlyWeighed);
    EXPECT_EQ(op->reference == nullptr, listed || op->random || (op->control != Control::none && op->name != "loop"))
        << op->name;
  }
}

INSTANTIATE_TEST_SUITE_P(AllOps, EveryOp, testing::ValuesIn(all_ops().begin(), all_ops().end()), name_of_op);
INSTANTIATE_TEST_SUITE_P(AllOps, EveryRule,
                         testing::ValuesIn(ops_where([](const Op& op) { return op.control == Control::none; })),
                         name_of_op);
INSTANTIATE_TEST_SUITE_P(AllOps, EveryReference,
                         testing::ValuesIn(ops_where([](const Op& op) { return op.reference != nullptr; })),
                         name_of_op);

}  // namespace
}  // namespace plimsoll
