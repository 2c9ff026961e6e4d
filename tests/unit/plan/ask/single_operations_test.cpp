// Families that transformers computes without PyTorch's fused attention are planned so, where no kernel is asked for.
#include <gtest/gtest.h>

#include "base/rows/json.h"
#include "plimsoll/plimsoll.hpp"

namespace plimsoll {
namespace {

Json fit(const std::string& model, const Json& more) {
  Json request{{"model", model}, {"device", "nvidia-a100-80gb"}, {"batch", 1}, {"sequence", 1024}, {"brief", true}};
  request.update(more);
  return Json::parse(ask("fit", request.dump()).json());
}

TEST(SingleOperations, AFamilyWithoutTheKernelKeepsItsScores) {
  const Json usual = fit("gemma-2-2b", Json::object()), eager = fit("gemma-2-2b", {{"attention", "eager"}}),
             flash = fit("gemma-2-2b", {{"attention", "flash"}});
  EXPECT_EQ(usual["peak_bytes"], eager["peak_bytes"]) << usual;
  EXPECT_GT(usual["peak_bytes"], flash["peak_bytes"]);
  EXPECT_NE(usual["sentences"].dump().find("from single operations"), std::string::npos) << usual["sentences"];
}

TEST(SingleOperations, OthersTakeIt) {
  const Json usual = fit("llama-3.2-1b", Json::object()), eager = fit("llama-3.2-1b", {{"attention", "eager"}});
  EXPECT_LT(usual["peak_bytes"], eager["peak_bytes"]);
  EXPECT_EQ(usual["sentences"].dump().find("from single operations"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
