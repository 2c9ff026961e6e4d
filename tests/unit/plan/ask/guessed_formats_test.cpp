// Number formats as people call them, and mixed precision in either format of 16 bits.
#include <gtest/gtest.h>

#include "base/rows/json.h"
#include "plimsoll/plimsoll.hpp"

namespace plimsoll {
namespace {

Json fit(const std::string& dtype) {
  const Json request{{"model", "resnet18"}, {"device", "nvidia-a100-80gb"}, {"batch", 8}, {"dtype", dtype}};
  return Json::parse(ask("fit", request.dump()).json());
}

TEST(GuessedFormats, AreTheOnesThatAreMeant) {
  for (const auto& [guess, meant] : {std::pair{"16-mixed", "amp"},
                                     {"bf16-mixed", "amp-bf16"},
                                     {"FP16", "f16"},
                                     {"half", "f16"},
                                     {"bfloat16", "bf16"},
                                     {"32-true", "f32"}})
    EXPECT_EQ(fit(guess), fit(meant)) << guess;
  EXPECT_NE(fit("mixt")["what"].get<std::string>().find("'mixt', expected one of amp"), std::string::npos);
}

TEST(GuessedFormats, MixedPrecisionInBf16TakesTheMemoryOfThatInF16) {
  EXPECT_EQ(fit("amp-bf16")["kept_bytes"], fit("amp")["kept_bytes"]);
  EXPECT_EQ(fit("amp-bf16")["peak_bytes"], fit("amp")["peak_bytes"]);
}

}  // namespace
}  // namespace plimsoll
