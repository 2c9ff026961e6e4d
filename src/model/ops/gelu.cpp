// gelu: x times the share of a normal distribution below x; `approximate` "tanh" takes the cheaper formula.
#include "base/text.h"
#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Gelu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = 2 * kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Gelu(const Attributes& attributes) : approximate(attributes.text("approximate", "none") == "tanh") {}
  template <class T>
  T operator()(T x) const {
    return approximate ? tanh_gelu(x) : gelu(x);
  }
  static constexpr int kSlopeFlops = 2 * kTranscendental + 8;
  template <class T>
  T slope(T x) const {
    return approximate ? tanh_gelu_slope(x) : gelu_slope(x);
  }
  bool approximate;
};

Result<std::vector<TensorType>> infer_gelu(const OpCall& call) {
  const auto approximate = call.attributes.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return user_error("approximate is " + in_quotes(approximate) + ", expected 'none' or 'tanh'");
  return same_type(call);
}

std::vector<OpExample> examples_gelu() {
  auto examples = unary_examples();
  examples.push_back({"tanh", {{"approximate", std::string("tanh")}}, {{{DType::f32, {2, 7}}}}});
  return examples;
}

}  // namespace

const Op& gelu_op() {
  static const Op op = [] {
    Op gelu = unary_op<Gelu>("gelu", {"Gelu", "com.microsoft:Gelu"});
    gelu.infer = infer_gelu;
    gelu.examples = examples_gelu;
    return gelu;
  }();
  return op;
}

}  // namespace plimsoll
