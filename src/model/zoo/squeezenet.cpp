// SqueezeNet (Iandola 2016) 1.0 and the cheaper 1.1.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

const PoolOptions kHalve{.kernel = {3, 3}, .stride = {2, 2}, .ceil = true};

// A 1×1 that squeezes, then 1×1 and 3×3 side by side that expand.
ValueId fire(Builder& b, const std::string& name, ValueId x, int64_t squeeze, int64_t expand) {
  const auto scope = b.enter(name);
  x = b.relu("squeeze_activation", b.conv("squeeze", x, squeeze, {.kernel = {1, 1}}));
  const ValueId one = b.relu("expand1x1_activation", b.conv("expand1x1", x, expand, {.kernel = {1, 1}}));
  const ValueId three = b.conv("expand3x3", x, expand, {.kernel = {3, 3}, .padding = {1, 1}});
  return b.concat("concat", {one, b.relu("expand3x3_activation", three)});
}

ValueId features_1_0(Builder& b, ValueId x) {
  const auto scope = b.enter("features");
  x = b.relu("1", b.conv("0", x, 96, {.kernel = {7, 7}, .stride = {2, 2}}));
  x = b.max_pool("2", x, kHalve);
  x = fire(b, "5", fire(b, "4", fire(b, "3", x, 16, 64), 16, 64), 32, 128);
  x = b.max_pool("6", x, kHalve);
  x = fire(b, "8", fire(b, "7", x, 32, 128), 48, 192);
  x = fire(b, "10", fire(b, "9", x, 48, 192), 64, 256);
  x = b.max_pool("11", x, kHalve);
  return fire(b, "12", x, 64, 256);
}

ValueId features_1_1(Builder& b, ValueId x) {
  const auto scope = b.enter("features");
  x = b.relu("1", b.conv("0", x, 64, {.kernel = {3, 3}, .stride = {2, 2}}));
  x = b.max_pool("2", x, kHalve);
  x = fire(b, "4", fire(b, "3", x, 16, 64), 16, 64);
  x = b.max_pool("5", x, kHalve);
  x = fire(b, "7", fire(b, "6", x, 32, 128), 32, 128);
  x = b.max_pool("8", x, kHalve);
  x = fire(b, "10", fire(b, "9", x, 48, 192), 48, 192);
  return fire(b, "12", fire(b, "11", x, 64, 256), 64, 256);
}

template <ValueId (*features)(Builder&, ValueId)>
Result<Graph> build_squeezenet(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = features(b, b.input());
  x = b.conv("classifier.1", b.dropout("classifier.0", x, 0.5), classes, {.kernel = {1, 1}});
  x = b.global_average_pool("classifier.3", b.relu("classifier.2", x));
  return b.finish(b.flatten("flatten", x));
}

}  // namespace

std::vector<ZooModel> squeezenet_models() {
  const Shape image{3, 224, 224};
  const auto f32 = DType::f32;
  return {{"squeezenet1_0", "SqueezeNet 1.0 (Iandola 2016)", image, 1000, f32, build_squeezenet<features_1_0>},
          {"squeezenet1_1", "SqueezeNet 1.1, 2.4 times cheaper", image, 1000, f32, build_squeezenet<features_1_1>}};
}

}  // namespace plimsoll
