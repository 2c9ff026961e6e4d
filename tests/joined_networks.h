// Small networks with concats in the ways of DenseNet and GoogLeNet.
#pragma once

#include "model/build/builder.h"

namespace plimsoll {

// Every layer's norm reads all that was made before it: `first` channels in the beginning, `growth` more in each of
// three layers.
inline Graph dense_network(int64_t first, int64_t growth) {
  Builder b("dense", {3, 6, 6});
  const ConvOptions same{.kernel = {3, 3}, .padding = {1, 1}, .bias = false};
  std::vector<ValueId> made{b.conv("stem", b.input(), first, same)};
  for (int64_t i = 1; i <= 3; ++i) {
    const auto layer = b.enter("layer" + std::to_string(i));
    const ValueId x = made.size() == 1 ? made[0] : b.concat("concat", made);
    made.push_back(b.conv("conv", b.relu("relu", b.batch_norm("norm", x)), growth, same));
  }
  ValueId x = b.batch_norm("norm", b.concat("concat", made));
  x = b.flatten("flatten", b.global_average_pool("pool", b.relu("relu", x)));
  auto graph = b.finish(b.linear("fc", x, 3));
  PLIM_CHECK(graph.ok(), "the network does not build");
  return *graph;
}

// Two blocks of three branches that end in norms, with a ReLU, with a clip and without either, of so many channels.
inline Graph branched_network(int64_t first, int64_t second) {
  Builder b("branched", {3, 6, 6});
  const ConvOptions same{.kernel = {3, 3}, .padding = {1, 1}, .bias = false}, one{.kernel = {1, 1}, .bias = false};
  ValueId x = b.conv("stem", b.input(), first, same);
  for (const std::string name : {"block1", "block2"}) {
    const auto block = b.enter(name);
    const ValueId relu = b.relu("relu", b.batch_norm("norm1", b.conv("conv1", x, first, one)));
    const ValueId clipped =
        b.apply("clip", "clip",
                {b.batch_norm("norm2", b.conv("conv2", x, second, same)), b.constant("min", float_tensor({}, {-0.5F})),
                 b.constant("max", float_tensor({}, {0.7F}))});
    const ValueId plain = b.batch_norm("norm3", b.conv("conv3", x, first, same));
    x = b.concat("concat", {plain, relu, clipped});
  }
  x = b.flatten("flatten", b.global_average_pool("pool", b.conv("last", x, first, same)));
  auto graph = b.finish(b.linear("fc", x, 3));
  PLIM_CHECK(graph.ok(), "the network does not build");
  return *graph;
}

}  // namespace plimsoll
