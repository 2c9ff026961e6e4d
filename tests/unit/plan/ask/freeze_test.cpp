// Parameters that are not trained: no gradients, no optimizer state, nothing kept for them; stored all the same.
#include <gtest/gtest.h>

#include "base/rows/json.h"
#include "plimsoll/plimsoll.hpp"

namespace plimsoll {
namespace {

Json asked(const std::string& verb, Json request, const Json& more) {
  if (more.is_object()) request.update(more);
  const Answer answer = ask(verb, request.dump());
  return Json::parse(answer.json());
}

const Json kFit = {{"model", "resnet18"}, {"device", "nvidia-t4"}, {"optimizer", "adam"}, {"batch", 32}};
constexpr double kCounters = 1024;  // of steps, one a tensor
const Json kBackbone = {{"method", "freeze:conv1*,bn1*,layer*"}};

TEST(Freeze, AHeadOfItsOwnNeedsLittleMemory) {
  const Json all = asked("fit", kFit, {}), head = asked("fit", kFit, kBackbone);
  EXPECT_NEAR(head["breakdown"]["optimizer"].get<double>(), 2 * 4 * 513'000, kCounters);
  EXPECT_EQ(head["breakdown"]["parameters"], all["breakdown"]["parameters"]);
  EXPECT_LT(head["kept_bytes"].get<int64_t>(), all["kept_bytes"].get<int64_t>() / 20);
  EXPECT_LT(head["peak_bytes"], all["peak_bytes"]);
  EXPECT_NE(head["sentences"].dump().find("are not trained"), std::string::npos) << head["sentences"];
}

TEST(Freeze, ALayerAtTheEndLeavesWhatIsKeptBeforeIt) {
  const Json all = asked("fit", kFit, {}), end = asked("fit", kFit, {{"method", "freeze:fc.weight,fc.bias"}});
  const double less = all["breakdown"]["optimizer"].get<double>() - end["breakdown"]["optimizer"].get<double>();
  EXPECT_NEAR(less, 2 * 4 * 513'000, kCounters);
  EXPECT_GT(end["kept_bytes"].get<int64_t>(), all["kept_bytes"].get<int64_t>() * 9 / 10);
}

TEST(Freeze, FullFreezesNothing) { EXPECT_EQ(asked("fit", kFit, {{"method", "full"}}), asked("fit", kFit, {})); }

TEST(Freeze, MeansNothingToAnInference) {
  const Json inference = {{"mode", "inference"}};
  Json frozen = inference;
  frozen["method"] = "freeze:*";
  EXPECT_EQ(asked("fit", kFit, frozen), asked("fit", kFit, inference));
}

TEST(Freeze, MistakesAreOneLine) {
  const auto what = [](const std::string& patterns) {
    return asked("fit", kFit, {{"method", "freeze:" + patterns}})["what"].get<std::string>();
  };
  EXPECT_EQ(what("nothing_like_it"), "no parameter has a name like 'nothing_like_it'");
  EXPECT_EQ(what("*"), "'*' freezes every parameter: nothing is left to train");
}

}  // namespace
}  // namespace plimsoll
