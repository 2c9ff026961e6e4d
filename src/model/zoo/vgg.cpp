// VGG (Simonyan and Zisserman 2014), configurations A, B, D and E, with and without batch norm.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

using Stages = std::vector<int64_t>;  // convolutions in each of the five stages

// The layers of torchvision's Sequential are numbered through, so the number of a layer depends on what came before.
ValueId features(Builder& b, ValueId x, const Stages& stages, bool norm) {
  constexpr int64_t kChannels[] = {64, 128, 256, 512, 512};
  const auto scope = b.enter("features");
  int layer = 0;
  const auto next = [&] { return std::to_string(layer++); };
  for (size_t stage = 0; stage < stages.size(); ++stage) {
    for (int64_t i = 0; i < stages[stage]; ++i) {
      x = b.conv(next(), x, kChannels[stage], {.kernel = {3, 3}, .padding = {1, 1}});
      if (norm) x = b.batch_norm(next(), x);
      x = b.relu(next(), x);
    }
    x = b.max_pool(next(), x, {.kernel = {2, 2}});
  }
  return x;
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Stages& stages, bool norm) {
  Builder b(std::string(self.name), input);
  ValueId x = features(b, b.input(), stages, norm);
  x = b.flatten("flatten", b.adaptive_average_pool("avgpool", x, {7, 7}));
  const auto scope = b.enter("classifier");
  x = b.dropout("2", b.relu("1", b.linear("0", x, 4096)), 0.5);
  x = b.dropout("5", b.relu("4", b.linear("3", x, 4096)), 0.5);
  return b.finish(b.linear("6", x, classes));
}

template <bool norm, int64_t... convolutions>
Result<Graph> build_vgg(const ZooModel& self, const Shape& input, int64_t classes) {
  return build(self, input, classes, {convolutions...}, norm);
}

}  // namespace

std::vector<ZooModel> vgg_models() {
  const Shape image{3, 224, 224};
  const auto f32 = DType::f32;
  return {{"vgg11", "VGG, 11 layers (Simonyan 2014, A)", image, 1000, f32, build_vgg<false, 1, 1, 2, 2, 2>},
          {"vgg11_bn", "VGG, 11 layers, batch norm", image, 1000, f32, build_vgg<true, 1, 1, 2, 2, 2>},
          {"vgg13", "VGG, 13 layers (Simonyan 2014, B)", image, 1000, f32, build_vgg<false, 2, 2, 2, 2, 2>},
          {"vgg13_bn", "VGG, 13 layers, batch norm", image, 1000, f32, build_vgg<true, 2, 2, 2, 2, 2>},
          {"vgg16", "VGG, 16 layers (Simonyan 2014, D)", image, 1000, f32, build_vgg<false, 2, 2, 3, 3, 3>},
          {"vgg16_bn", "VGG, 16 layers, batch norm", image, 1000, f32, build_vgg<true, 2, 2, 3, 3, 3>},
          {"vgg19", "VGG, 19 layers (Simonyan 2014, E)", image, 1000, f32, build_vgg<false, 2, 2, 4, 4, 4>},
          {"vgg19_bn", "VGG, 19 layers, batch norm", image, 1000, f32, build_vgg<true, 2, 2, 4, 4, 4>}};
}

}  // namespace plimsoll
