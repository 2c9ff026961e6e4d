// Vision transformers (Dosovitskiy 2020) as torchvision has them: the image is cut into patches, a learned
// class token goes in front, and the last layer reads that token only.
#include <fmt/format.h>

#include "model/zoo/all_models.h"
#include "model/zoo/attention_layer.h"

namespace plimsoll {
namespace {

struct Config {
  int64_t patch, layers, heads, width, hidden;
};

// Batch × tokens × width. The number of positions follows the image.
ValueId patches(Builder& b, const Config& config) {
  const Shape& image = b.shape(b.input());
  const int64_t size = config.patch, width = config.width;
  if (image[2] % size != 0 || image[3] % size != 0 || image[2] < size || image[3] < size)
    b.fail(
        user_error(fmt::format("the image is {}x{}, expected multiples of the patch, {}", image[2], image[3], size)));
  ValueId x = b.conv("conv_proj", b.input(), width, {.kernel = {size, size}, .stride = {size, size}});
  x = b.transpose("transpose", b.reshape("reshape", x, {0, width, -1}), {0, 2, 1});
  // The token is one for all samples: it is repeated to the batch, a number that bind knows.
  const ValueId batch = b.apply("batch", "shape", {x}, {{"start", int64_t{0}}, {"end", int64_t{1}}});
  const ValueId rest = b.constant("class_token.rest", integer_tensor({1, width}));
  const ValueId token_shape = b.concat("class_token.shape", {batch, rest}, 0);
  const ValueId token =
      b.apply("class_token.expand", "expand", {b.parameter("class_token", {1, 1, width}), token_shape});
  x = b.concat("tokens", {token, x});
  const int64_t count = b.failed() ? 1 : b.shape(x)[1];
  return b.add("encoder.add", x, b.parameter("encoder.pos_embedding", {1, count, width}));
}

ValueId encoder_layer(Builder& b, ValueId x, const Config& config) {
  const ValueId normed = b.layer_norm("ln_1", x, 1e-6);
  ValueId mixed;
  {
    const auto scope = b.enter("self_attention");
    const auto qkv = project_qkv(b, "in_proj", normed, config.width);
    mixed = attention(b, qkv[0], qkv[1], qkv[2], {.width = config.width, .heads = config.heads});
    mixed = b.linear("out_proj", mixed, config.width);
  }
  x = b.add("add_1", mixed, x);
  ValueId y = b.linear("mlp.0", b.layer_norm("ln_2", x, 1e-6), config.hidden);
  y = b.linear("mlp.3", b.apply("mlp.1", "gelu", {y}), config.width);
  return b.add("add_2", x, y);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  ValueId x = patches(b, config);
  for (int64_t i = 0; i < config.layers; ++i) {
    const auto scope = b.enter(fmt::format("encoder.layers.encoder_layer_{}", i));
    x = encoder_layer(b, x, config);
  }
  x = b.layer_norm("encoder.ln", x, 1e-6);
  x = b.apply("class_token.take", "gather", {x, b.constant("class_token.index", integer_scalar(0))},
              {{"axis", int64_t{1}}});
  return b.finish(b.linear("heads.head", x, classes));
}

constexpr Config kB16{16, 12, 12, 768, 3072}, kB32{32, 12, 12, 768, 3072};
constexpr Config kL16{16, 24, 16, 1024, 4096}, kL32{32, 24, 16, 1024, 4096}, kH14{14, 32, 16, 1280, 5120};

}  // namespace

std::vector<ZooModel> vit_models() {
  return {configured<build, kB16>("vit_b_16", "vision transformer, base, patches of 16 (Dosovitskiy 2020)"),
          configured<build, kB32>("vit_b_32", "vision transformer, base, patches of 32 (Dosovitskiy 2020)"),
          configured<build, kL16>("vit_l_16", "vision transformer, large, patches of 16 (Dosovitskiy 2020)"),
          configured<build, kL32>("vit_l_32", "vision transformer, large, patches of 32 (Dosovitskiy 2020)"),
          configured<build, kH14>("vit_h_14", "vision transformer, huge, patches of 14 (Dosovitskiy 2020)")};
}

}  // namespace plimsoll
