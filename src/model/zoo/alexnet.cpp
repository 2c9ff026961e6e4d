// AlexNet as torchvision has it: the one-column variant of 61.10 M parameters (Krizhevsky 2014), no LRN; and as
// Caffe has it, near the first paper: two groups, LRN, 60.97 M parameters.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

ValueId features(Builder& b, ValueId x) {
  const auto scope = b.enter("features");
  x = b.relu("1", b.conv("0", x, 64, {.kernel = {11, 11}, .stride = {4, 4}, .padding = {2, 2}}));
  x = b.max_pool("2", x, {.kernel = {3, 3}, .stride = {2, 2}});
  x = b.relu("4", b.conv("3", x, 192, {.kernel = {5, 5}, .padding = {2, 2}}));
  x = b.max_pool("5", x, {.kernel = {3, 3}, .stride = {2, 2}});
  x = b.relu("7", b.conv("6", x, 384, {.kernel = {3, 3}, .padding = {1, 1}}));
  x = b.relu("9", b.conv("8", x, 256, {.kernel = {3, 3}, .padding = {1, 1}}));
  x = b.relu("11", b.conv("10", x, 256, {.kernel = {3, 3}, .padding = {1, 1}}));
  return b.max_pool("12", x, {.kernel = {3, 3}, .stride = {2, 2}});
}

Result<Graph> build_alexnet(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = features(b, b.input());
  x = b.flatten("flatten", b.adaptive_average_pool("avgpool", x, {6, 6}));
  const auto scope = b.enter("classifier");
  x = b.relu("2", b.linear("1", b.dropout("0", x, 0.5), 4096));
  x = b.relu("5", b.linear("4", b.dropout("3", x, 0.5), 4096));
  return b.finish(b.linear("6", x, classes));
}

ValueId normalise(Builder& b, const std::string& name, ValueId x) {
  return b.apply(name, "lrn", {x}, {{"size", int64_t{5}}, {"alpha", 1e-4}, {"beta", 0.75}, {"bias", 1.0}});
}

Result<Graph> build_two_columns(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  const PoolOptions halve{.kernel = {3, 3}, .stride = {2, 2}, .ceil = true};
  const ConvOptions three{.kernel = {3, 3}, .padding = {1, 1}};
  const ConvOptions three_in_two{.kernel = {3, 3}, .padding = {1, 1}, .groups = 2};
  ValueId x = b.relu("relu1", b.conv("conv1", b.input(), 96, {.kernel = {11, 11}, .stride = {4, 4}}));
  x = b.max_pool("pool1", normalise(b, "norm1", x), halve);
  x = b.relu("relu2", b.conv("conv2", x, 256, {.kernel = {5, 5}, .padding = {2, 2}, .groups = 2}));
  x = b.max_pool("pool2", normalise(b, "norm2", x), halve);
  x = b.relu("relu3", b.conv("conv3", x, 384, three));
  x = b.relu("relu4", b.conv("conv4", x, 384, three_in_two));
  x = b.relu("relu5", b.conv("conv5", x, 256, three_in_two));
  x = b.flatten("flatten", b.max_pool("pool5", x, halve));
  x = b.dropout("drop6", b.relu("relu6", b.linear("fc6", x, 4096)), 0.5);
  x = b.dropout("drop7", b.relu("relu7", b.linear("fc7", x, 4096)), 0.5);
  return b.finish(b.linear("fc8", x, classes));
}

}  // namespace

std::vector<ZooModel> alexnet_models() {
  return {{"alexnet", "AlexNet, one column (Krizhevsky 2014)", {3, 224, 224}, 1000, DType::f32, build_alexnet},
          {"alexnet_caffe",
           "AlexNet, Caffe's, two groups (Krizhevsky 2012)",
           {3, 227, 227},
           1000,
           DType::f32,
           build_two_columns}};
}

}  // namespace plimsoll
