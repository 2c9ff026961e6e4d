#include "model/zoo/conv_norm_activation.h"

#include <algorithm>

namespace plimsoll {

ValueId activate(Builder& b, const std::string& name, ValueId x, UnitActivation activation) {
  switch (activation) {
    case UnitActivation::none: return x;
    case UnitActivation::relu: return b.relu(name, x);
    case UnitActivation::relu6:
      return b.apply(
          name, "clip",
          {x, b.constant(name + ".min", float_tensor({}, {0})), b.constant(name + ".max", float_tensor({}, {6}))});
    case UnitActivation::silu: return b.apply(name, "silu", {x});
    case UnitActivation::hard_swish: return b.apply(name, "hard_swish", {x});
  }
  return x;
}

ValueId conv_norm_activation(Builder& b, const std::string& name, ValueId x, int64_t kernels,
                             const UnitOptions& options) {
  const int64_t size = options.kernel, stride = options.stride, pad = (size - 1) / 2;
  x = b.conv(name + ".0", x, kernels,
             {.kernel = {size, size},
              .stride = {stride, stride},
              .padding = {pad, pad},
              .groups = options.groups,
              .bias = false});
  return activate(b, name + ".2", b.batch_norm(name + ".1", x, options.epsilon), options.activation);
}

ValueId squeeze_excite(Builder& b, const std::string& name, ValueId x, int64_t squeeze, UnitActivation activation,
                       const std::string& gate) {
  const auto scope = b.enter(name);
  ValueId scale = b.conv("fc1", b.global_average_pool("avgpool", x), squeeze, {.kernel = {1, 1}});
  scale = b.conv("fc2", activate(b, "activation", scale, activation), b.channels(x), {.kernel = {1, 1}});
  return b.apply("mul", "mul", {x, b.apply("scale_activation", gate, {scale})});
}

int64_t divisible_by_8(double channels) {
  const int64_t nearest = std::max<int64_t>(8, int64_t(channels + 4) / 8 * 8);
  return double(nearest) < 0.9 * channels ? nearest + 8 : nearest;
}

}  // namespace plimsoll
