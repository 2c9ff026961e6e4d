// A small DenseNet: every layer's norm reads all that was made before it, and so does the last one.
#pragma once

#include "model/zoo/builder.h"

namespace plimsoll {

// `first` channels in the beginning, `growth` more in each of three layers.
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

}  // namespace plimsoll
