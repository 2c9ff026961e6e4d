// Every operation of all_ops under a stranger's hands: its examples with sizes, ranks, types, attributes
// and contents replaced at random. A rule may refuse; it may not crash, hang or be undefined (run it in
// the sanitizer preset). The seed is fixed, so a failure stays one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>

#include "model/ir/evaluate.h"
#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr int kRounds = 300;
// What bind() folds, only smaller: reference maths is reached through it.
constexpr int64_t kLargestOutput = 1 << 12, kMostFlops = 1 << 18;

class Hostile {
 public:
  explicit Hostile(uint32_t seed) : random_(seed) {}

  bool chance(uint32_t one_in) { return random_() % one_in == 0; }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return *(choices.begin() + random_() % choices.size());
  }
  int64_t number() {
    return pick<int64_t>({0, 1, -1, 2, 3, 4, -2, 100, 1 << 16, int64_t{1} << 31, int64_t{1} << 40, int64_t{1} << 62,
                          std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()});
  }
  int64_t size(bool huge) {
    return huge && chance(3) ? pick<int64_t>({1000, int64_t{1} << 31, int64_t{1} << 40, int64_t{1} << 61})
                             : pick<int64_t>({0, 1, 2, 3, 4, 7});
  }
  DType dtype() { return all_dtypes()[random_() % all_dtypes().size()].type; }

  TensorType type(TensorType type, bool huge) {
    auto dims = type.shape.dims();
    if (chance(6)) dims.resize(random_() % 6, 1);
    for (auto& dim : dims)
      if (chance(3)) dim = size(huge);
    if (!huge && dims.size() > 1 && chance(6)) {  // empty, and yet large
      dims[random_() % dims.size()] = int64_t{1} << 40;
      dims[random_() % dims.size()] = 0;
      if (std::count(dims.begin(), dims.end(), 0) == 0) dims[0] = 0;
    }
    if (chance(8)) type.dtype = dtype();
    return {type.dtype, Shape(std::move(dims))};
  }

  Attributes attributes(const Attributes& from) {
    Attributes changed;
    for (auto [name, value] : from) {
      if (chance(3)) spoil(value);
      changed.set(name, value);
    }
    for (const char* name : {"axis", "group", "pads", "strides", "dilations", "kernel_shape", "axes", "keepdims"})
      if (chance(12)) changed.set(name, chance(2) ? Attribute(number()) : Attribute(numbers()));
    return changed;
  }

  void fill(Tensor& tensor) {
    for_type(tensor.type.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (size_t i = 0; i < tensor.size(); ++i) {
        if constexpr (std::is_same_v<T, bool>) tensor.as<T>()[i] = chance(2);
        else if constexpr (std::is_floating_point_v<T>)
          tensor.as<T>()[i] = T(pick({0.0, 1.0, -1.0, 0.5, 3.7, 1e30, -1e30, double(NAN), double(INFINITY)}));
        else tensor.as<T>()[i] = T(number());
      }
    });
  }

 private:
  std::vector<int64_t> numbers() {
    std::vector<int64_t> list(random_() % 5);
    for (auto& entry : list) entry = number();
    return list;
  }
  void spoil(Attribute& value) {
    if (auto* one = std::get_if<int64_t>(&value)) *one = number();
    else if (auto* real = std::get_if<double>(&value)) *real = pick({0.0, -1.0, 1e300, double(NAN), double(INFINITY)});
    else if (auto* text = std::get_if<std::string>(&value)) *text = chance(2) ? "" : "\x01strange";
    else if (auto* list = std::get_if<std::vector<int64_t>>(&value)) {
      if (chance(2)) *list = numbers();
      else
        for (auto& entry : *list)
          if (chance(2)) entry = number();
    }
  }

  std::mt19937 random_;
};

class EveryHostileOp : public testing::TestWithParam<const Op*> {};

TEST_P(EveryHostileOp, RulesAnswerWhateverTheSizes) {
  const Op& op = *GetParam();
  if (op.control != Control::none) return;  // bind()'s business
  Hostile hostile(1);
  for (int round = 0; round < kRounds; ++round)
    for (const auto& example : op.examples()) {
      std::vector<TensorType> types;
      std::vector<const TensorType*> pointers;
      std::vector<const Tensor*> constants;
      for (const auto& input : example.inputs) {
        const bool known = input.constant && hostile.chance(2);
        types.push_back(known ? input.type : hostile.type(input.type, true));
        constants.push_back(known ? input.constant.get() : nullptr);
      }
      for (const auto& type : types) pointers.push_back(hostile.chance(15) ? nullptr : &type);
      for (size_t i = 0; i < pointers.size(); ++i)
        if (!pointers[i]) constants[i] = nullptr;
      const Attributes attributes = hostile.attributes(example.attributes);
      OpCall call(attributes, pointers, constants, hostile.chance(4) ? 4 : example.outputs);
      const auto outputs = infer(op, call);
      if (!outputs.ok()) continue;
      call.outputs = *outputs;
      EXPECT_GE((op.cost ? op.cost(call) : Cost{}).flops.value(), 0);
      EXPECT_GE(bytes_moved(op, call).value(), 0);
    }
}

// As bind() reaches it: the contents are known, and the work is small by the op's own account.
TEST_P(EveryHostileOp, MathsSurvivesWhateverTheContents) {
  const Op& op = *GetParam();
  if (op.control != Control::none || !op.reference) return;
  Hostile hostile(2);
  const std::clock_t start = std::clock();  // of this process, whatever others do
  for (int round = 0; round < kRounds; ++round)
    for (const auto& example : op.examples()) {
      std::vector<Tensor> inputs;
      std::vector<const Tensor*> pointers;
      std::vector<const TensorType*> types;
      for (const auto& input : example.inputs) {
        TensorType type = hostile.chance(2) ? input.type : hostile.type(input.type, false);
        if (!for_type(type.dtype, [](auto) {})) type.dtype = DType::f32;
        inputs.emplace_back(type);
        if (input.constant && hostile.chance(2)) inputs.back() = *input.constant;
        else hostile.fill(inputs.back());
      }
      for (const auto& input : inputs) pointers.push_back(hostile.chance(15) ? nullptr : &input);
      for (const Tensor* input : pointers) types.push_back(input ? &input->type : nullptr);
      const Attributes attributes = hostile.attributes(example.attributes);
      OpCall call(attributes, types, pointers, example.outputs);
      const auto outputs = infer(op, call);
      if (!outputs.ok()) continue;
      call.outputs = *outputs;
      bool small = !op.cost || op.cost(call).flops.value() <= kMostFlops;
      for (const auto& type : *outputs) small = small && type.elements().value() <= kLargestOutput;
      if (small) (void)evaluate(op, attributes, pointers, example.outputs);
    }
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 60) << "more work than the cost rule admits";
}

INSTANTIATE_TEST_SUITE_P(AllOps, EveryHostileOp, testing::ValuesIn(all_ops().begin(), all_ops().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace plimsoll
