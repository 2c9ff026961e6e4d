#include "model/ops/cosine_window.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "model/ir/for_type.h"
#include "model/ops/example.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {

Result<std::vector<TensorType>> cosine_window_type(const OpCall& call) {
  PLIM_ASSIGN(const auto size, call.integers("size", 0));
  if (!size || size->size() != 1 || (*size)[0] < 0)
    return user_error(fmt::format("the size is {}, expected one number of at least 0",
                                  size ? fmt::format("{}", fmt::join(*size, ", ")) : "missing"));
  PLIM_ASSIGN(const DType type, dtype_of_onnx(call.attributes.integer("output_datatype", 1)));
  return std::vector{TensorType{type, Shape{(*size)[0]}}};
}

bool cosine_window(const CosineWindow& window, const OpCall& call, const TensorView& out) {
  const bool periodic = call.attributes.integer("periodic", 1) != 0;
  const double period = double(std::max<int64_t>(periodic ? out.size() : out.size() - 1, 1));
  return for_float(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t n = 0; n < out.size(); ++n) {
      const double angle = 2 * std::numbers::pi * double(n) / period;
      out.as<T>()[n] = T(window.a0 - window.a1 * std::cos(angle) + window.a2 * std::cos(2 * angle));
    }
  });
}

std::vector<OpExample> cosine_window_examples() {
  return {{"periodic", {}, {example::known(integer_scalar(8))}, 1, false},
          {"symmetric, f64",
           {{"periodic", int64_t{0}}, {"output_datatype", int64_t{11}}},
           {example::known(integer_scalar(5))},
           1,
           false}};
}

Bytes cosine_window_moved(const OpCall& call) { return call.outputs[0].bytes(); }

}  // namespace plimsoll
