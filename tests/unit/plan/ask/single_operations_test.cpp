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

// Networks of pictures from transformers and diffusers, 1,024 patches and more: their scores are kept by eager
// attention alone, a number a row and head by the kernel.
TEST(SingleOperations, PicturesTakeTheKernelToo) {
  const auto fit_picture = [](const std::string& config, const Json& more) {
    Json request{{"device", "nvidia-a100-80gb"}, {"batch", 4}, {"brief", true}};
    request.update(more);
    return Json::parse(Model::read(config).ask("fit", request.dump()).json());
  };
  const std::string vit =
      R"({"model_type": "vit", "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 8,
          "intermediate_size": 512, "image_size": 512})";
  const Json usual = fit_picture(vit, Json::object()), eager = fit_picture(vit, {{"attention", "eager"}}),
             early = fit_picture(vit, {{"torch", "1.12"}});
  const int64_t tokens = 32 * 32 + 1, rows = int64_t{4} * 8 * tokens * 4, scores = rows * tokens;  // of a layer, f32
  EXPECT_EQ(eager["allocated_bytes"].get<int64_t>() - usual["allocated_bytes"].get<int64_t>(), 2 * (scores - rows))
      << usual;
  EXPECT_EQ(early["allocated_bytes"], eager["allocated_bytes"]);
  const std::string clap_like =
      R"({"model_type": "swinv2", "embed_dim": 32, "depths": [1, 1], "num_heads": [2, 4], "image_size": 256})";
  EXPECT_EQ(fit_picture(clap_like, Json::object())["allocated_bytes"],
            fit_picture(clap_like, {{"attention", "eager"}})["allocated_bytes"]);
}

}  // namespace
}  // namespace plimsoll
