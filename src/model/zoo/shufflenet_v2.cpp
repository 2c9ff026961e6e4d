// ShuffleNet v2 (Ma 2018): half the channels pass a block untouched, then the halves are shuffled.
#include <fmt/format.h>

#include <array>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

using Widths = std::array<int64_t, 3>;  // channels of the three stages

// Numbers the layers of a torch Sequential through.
class Sequence {
 public:
  Sequence(Builder& builder, ValueId x) : b_(builder), x_(x) {}

  Sequence& conv(int64_t kernels, int64_t size, int64_t stride, int64_t groups = 1) {
    const int64_t pad = size / 2;
    const ConvOptions options{
        .kernel = {size, size}, .stride = {stride, stride}, .padding = {pad, pad}, .groups = groups, .bias = false};
    x_ = b_.conv(next(), x_, kernels, options);
    x_ = b_.batch_norm(next(), x_);
    return *this;
  }
  Sequence& relu() {
    x_ = b_.relu(next(), x_);
    return *this;
  }
  ValueId out() const { return x_; }

 private:
  std::string next() { return std::to_string(layer_++); }

  Builder& b_;
  ValueId x_;
  int layer_ = 0;
};

// 1×1, 3×3 per channel, 1×1: the branch that works.
ValueId main_branch(Builder& b, ValueId x, int64_t width, int64_t stride) {
  const auto scope = b.enter("branch2");
  return Sequence(b, x).conv(width, 1, 1).relu().conv(width, 3, stride, width).conv(width, 1, 1).relu().out();
}

// Where the size is halved the other branch works too.
ValueId side_branch(Builder& b, ValueId x, int64_t width, int64_t stride) {
  const auto scope = b.enter("branch1");
  const int64_t inputs = b.channels(x);
  return Sequence(b, x).conv(inputs, 3, stride, inputs).conv(width, 1, 1).relu().out();
}

// Channels of the two halves in turn.
ValueId shuffle(Builder& b, ValueId x, int64_t width) {
  if (b.failed()) return x;
  const int64_t height = b.shape(x)[2], columns = b.shape(x)[3];
  x = b.reshape("shuffle.split", x, {0, 2, width, height, columns});
  x = b.transpose("shuffle", x, {0, 2, 1, 3, 4});
  return b.reshape("shuffle.join", x, {0, 2 * width, height, columns});
}

ValueId block(Builder& b, ValueId x, int64_t outputs, int64_t stride) {
  const int64_t width = outputs / 2;
  std::vector<ValueId> halves;
  if (stride == 1) {
    halves = b.apply_many("split", "split", {x}, {{"axis", int64_t{1}}}, 2);
    halves[1] = main_branch(b, halves[1], width, 1);
  } else {
    const ValueId side = side_branch(b, x, width, stride);
    halves = {side, main_branch(b, x, width, stride)};
  }
  return shuffle(b, b.concat("concat", halves), width);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Widths& widths, int64_t last) {
  constexpr int64_t kBlocks[] = {4, 8, 4};
  Builder b(std::string(self.name), input);
  const auto unit = [&](const std::string& name, ValueId x, int64_t kernels, int64_t size, int64_t stride) {
    const auto scope = b.enter(name);
    return Sequence(b, x).conv(kernels, size, stride).relu().out();
  };
  ValueId x = unit("conv1", b.input(), 24, 3, 2);
  x = b.max_pool("maxpool", x, {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  for (size_t stage = 0; stage < widths.size(); ++stage) {
    const auto scope = b.enter(fmt::format("stage{}", stage + 2));
    for (int64_t i = 0; i < kBlocks[stage]; ++i) {
      const auto inner = b.enter(std::to_string(i));
      x = block(b, x, widths[stage], i == 0 ? 2 : 1);
    }
  }
  x = unit("conv5", x, last, 1, 1);
  return b.finish(b.linear("fc", b.flatten("flatten", b.global_average_pool("mean", x)), classes));
}

template <int64_t first, int64_t second, int64_t third, int64_t last>
Result<Graph> build_shufflenet(const ZooModel& self, const Shape& input, int64_t classes) {
  return build(self, input, classes, {first, second, third}, last);
}

}  // namespace

std::vector<ZooModel> shufflenet_v2_models() {
  const Shape image{3, 224, 224};
  const auto f32 = DType::f32;
  const auto* summary = "ShuffleNet v2 (Ma 2018)";
  return {{"shufflenet_v2_x0_5", summary, image, 1000, f32, build_shufflenet<48, 96, 192, 1024>},
          {"shufflenet_v2_x1_0", summary, image, 1000, f32, build_shufflenet<116, 232, 464, 1024>},
          {"shufflenet_v2_x1_5", summary, image, 1000, f32, build_shufflenet<176, 352, 704, 1024>},
          {"shufflenet_v2_x2_0", summary, image, 1000, f32, build_shufflenet<244, 488, 976, 2048>}};
}

}  // namespace plimsoll
