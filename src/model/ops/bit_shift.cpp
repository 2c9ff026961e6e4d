// bit_shift: a shifted by b bits in `direction`, with broadcasting; no bit is left when b is the width or more.
#include "base/text.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct BitShift {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::integer;
  explicit BitShift(const Attributes& attributes) : left(attributes.text("direction", "") == "LEFT") {}
  template <class T>
  T operator()(T a, T b) const {
    using U = std::make_unsigned_t<T>;
    if (U(b) >= sizeof(T) * 8) return T(0);  // a count below 0 is a large one
    const auto wide = static_cast<uint64_t>(U(a));
    return static_cast<T>(left ? wide << U(b) : wide >> U(b));
  }
  bool left;
};

Result<std::vector<TensorType>> infer_bit_shift(const OpCall& call) {
  const auto direction = call.attributes.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return user_error("direction is " + in_quotes(direction) + ", expected 'LEFT' or 'RIGHT'");
  return broadcast_type(call);
}

std::vector<OpExample> examples_bit_shift() {
  const OpExample::Input x{{DType::u8, {2, 3}}};
  return {{"left", {{"direction", std::string("LEFT")}}, {x, x}},
          {"right", {{"direction", std::string("RIGHT")}}, {x, {{DType::u8, {1}}}}}};
}

}  // namespace

const Op& bit_shift_op() {
  static const Op op = [] {
    Op shift = binary_op<BitShift>("bit_shift", {"BitShift"});
    shift.infer = infer_bit_shift;
    shift.examples = examples_bit_shift;
    return shift;
  }();
  return op;
}

}  // namespace plimsoll
