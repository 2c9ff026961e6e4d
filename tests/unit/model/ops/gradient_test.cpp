// What gradient rules read of the forward pass, which is what a training step has to keep, and what they decline.
#include <gtest/gtest.h>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

// One operation with unknown contents, and its rule run on it with every floating input wanted.
class Ruled {
 public:
  Ruled(const Op& op, const Attributes& attributes, const std::vector<OpExample::Input>& inputs, size_t outputs) {
    Operation operation{&op, std::string(op.name), "probe", {}, {}, attributes};
    std::vector<bool> wanted;
    for (const auto& input : inputs) {
      operation.inputs.push_back(program_.add({"x", Role::activation, input.type, input.constant}));
      wanted.push_back(is_floating(input.type.dtype));
    }
    operation.outputs.assign(outputs, ValueId{});
    const OpCall call = call_of(program_, operation);
    const auto types = infer(op, call);
    EXPECT_TRUE(types.ok()) << op.name;
    std::vector<ValueId> gradients;
    for (size_t i = 0; types.ok() && i < outputs; ++i)
      operation.outputs[i] = program_.add({"y", Role::activation, (*types)[i], nullptr});
    forward_values_ = program_.values.size();
    for (size_t i = 0; types.ok() && i < outputs; ++i)
      gradients.push_back(i == 0 && is_floating((*types)[i].dtype)
                              ? program_.add({"dy", Role::activation, (*types)[i], nullptr})
                              : ValueId{});
    Backward backward(program_, operation, gradients, wanted);
    op.gradient(backward);
    status_ = backward.status();
    gradients_ = backward.input_gradients();
  }

  // The forward values that emitted operations read: "x", "xx", "y", "xy" …, "" for none.
  std::string reads() const {
    std::vector<bool> read(forward_values_);
    for (const auto& operation : program_.operations)
      for (const ValueId id : operation.inputs)
        if (id.present() && size_t(id.index) < forward_values_) read[size_t(id.index)] = true;
    std::string names;
    for (size_t i = 0; i < read.size(); ++i)
      if (read[i]) names += program_.values[i].name;
    return names;
  }

  const Program& program() const { return program_; }
  const Status& status() const { return status_; }
  const std::vector<ValueId>& gradients() const { return gradients_; }

 private:
  Program program_;
  size_t forward_values_ = 0;
  Status status_;
  std::vector<ValueId> gradients_;
};

struct Kept {
  const char* op;
  const char* values;  // of its first example
};

class KeptForBackward : public testing::TestWithParam<Kept> {};

TEST_P(KeptForBackward, IsTheLeastThatTheRuleNeeds) {
  const Op& op = op_named(GetParam().op);
  const Op& trained = op.training ? op.training() : op;
  const OpExample example = trained.examples()[0];
  const Ruled ruled(trained, example.attributes, example.inputs, example.outputs);
  ASSERT_TRUE(ruled.status().ok()) << ruled.status().error().line();
  EXPECT_EQ(ruled.reads(), GetParam().values);
}

INSTANTIATE_TEST_SUITE_P(Ops, KeptForBackward,
                         testing::Values(Kept{"sum", ""}, Kept{"mean", ""}, Kept{"neg", ""}, Kept{"sub", ""},
                                         Kept{"reduce_sum", ""}, Kept{"reduce_mean", ""}, Kept{"reduce_log_sum", "y"},
                                         Kept{"sigmoid", "y"}, Kept{"tanh", "y"}, Kept{"exp", "y"}, Kept{"sqrt", "y"},
                                         Kept{"clip", "y"}, Kept{"elu", "y"}, Kept{"log_softmax", "y"},
                                         Kept{"silu", "x"}, Kept{"gelu", "x"}, Kept{"lrn", "x"},
                                         Kept{"global_max_pool", "y"}, Kept{"adaptive_max_pool", "y"}, Kept{"pad", ""},
                                         Kept{"group_norm", "xx"}),
                         [](const auto& info) { return info.param.op; });

TEST(GradientRules, AKinkThatTheOutputDoesNotTellIsDeclined) {
  const std::vector<OpExample::Input> x{{{DType::f32, {2, 3}}}};
  for (const char* name : {"leaky_relu", "elu", "selu"}) {
    EXPECT_FALSE(Ruled(op_named(name), {{"alpha", -0.5}}, x, 1).status().ok()) << name;
    EXPECT_TRUE(Ruled(op_named(name), {{"alpha", 0.5}}, x, 1).status().ok()) << name;
  }
}

TEST(GradientRules, ACastIsCastBack) {
  const Ruled ruled(op_named("cast"), {{"to", int64_t{10}}}, {{{DType::f32, {2, 3}}}}, 1);
  ASSERT_TRUE(ruled.status().ok());
  ASSERT_EQ(ruled.program().operations.size(), 1u);
  EXPECT_EQ(ruled.program().value(ruled.gradients()[0]).type, (TensorType{DType::f32, {2, 3}}));
}

TEST(GradientRules, NothingFlowsBackThroughWholeNumbers) {
  const Ruled ruled(op_named("cast"), {{"to", int64_t{7}}}, {{{DType::f32, {2, 3}}}}, 1);
  ASSERT_TRUE(ruled.status().ok());
  EXPECT_FALSE(ruled.gradients()[0].present());
}

}  // namespace
}  // namespace plimsoll
