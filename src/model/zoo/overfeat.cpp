// OverFeat, the fast variant (Sermanet 2013): five convolutions, three linear layers. Its own input is 231×231.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

ValueId features(Builder& b, ValueId x) {
  const auto scope = b.enter("features");
  const ConvOptions three{.kernel = {3, 3}, .padding = {1, 1}};
  x = b.relu("1", b.conv("0", x, 96, {.kernel = {11, 11}, .stride = {4, 4}}));
  x = b.max_pool("2", x, {.kernel = {2, 2}});
  x = b.relu("4", b.conv("3", x, 256, {.kernel = {5, 5}}));
  x = b.max_pool("5", x, {.kernel = {2, 2}});
  x = b.relu("7", b.conv("6", x, 512, three));
  x = b.relu("9", b.conv("8", x, 1024, three));
  x = b.relu("11", b.conv("10", x, 1024, three));
  return b.max_pool("12", x, {.kernel = {2, 2}});
}

Result<Graph> build_overfeat(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  ValueId x = b.flatten("flatten", features(b, b.input()));
  const auto scope = b.enter("classifier");
  x = b.relu("1", b.linear("0", x, 3072));
  x = b.relu("3", b.linear("2", x, 4096));
  return b.finish(b.linear("4", x, classes));
}

}  // namespace

std::vector<ZooModel> overfeat_models() {
  return {{"overfeat", "OverFeat, fast (Sermanet 2013)", {3, 231, 231}, 1000, DType::f32, build_overfeat}};
}

}  // namespace plimsoll
