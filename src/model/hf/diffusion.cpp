#include "model/hf/diffusion.h"

namespace plimsoll {

ValueId group_norm(Builder& b, const std::string& name, ValueId x, int64_t groups, double epsilon) {
  const Shape channels{b.channels(x)};
  return b.apply(name, "group_norm",
                 {x, b.parameter(name + ".weight", channels), b.parameter(name + ".bias", channels)},
                 {{"num_groups", groups}, {"epsilon", epsilon}});
}

ValueId residual_block(Builder& b, ValueId x, int64_t channels, const ResidualOptions& options) {
  const ConvOptions window{.kernel = {3, 3}, .padding = {1, 1}};
  ValueId y = b.apply("act_1", "silu", {group_norm(b, "norm1", x, options.groups, options.epsilon)});
  y = b.conv("conv1", y, channels, window);
  if (options.time.present())
    y = b.add("add_time", y,
              b.reshape("time_per_channel", b.linear("time_emb_proj", options.time, channels), {0, channels, 1, 1}));
  y = b.apply("act_2", "silu", {group_norm(b, "norm2", y, options.groups, options.epsilon)});
  y = b.conv("conv2", y, channels, window);
  if (b.channels(x) != channels) x = b.conv("conv_shortcut", x, channels, {.kernel = {1, 1}});
  return b.add("add", x, y);
}

ValueId upsampled(Builder& b, ValueId x) {
  const auto scope = b.enter("upsamplers.0");
  const int64_t channels = b.channels(x);
  x = b.apply("nearest", "resize", {x, {}, b.constant("nearest.scales", float_tensor({4}, {1, 1, 2, 2}))},
              {{"mode", std::string("nearest")},
               {"coordinate_transformation_mode", std::string("asymmetric")},
               {"nearest_mode", std::string("floor")}});
  return b.conv("conv", x, channels, {.kernel = {3, 3}, .padding = {1, 1}});
}

}  // namespace plimsoll
