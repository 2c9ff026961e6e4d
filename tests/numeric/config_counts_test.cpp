// Parameters of config.json files against what transformers and diffusers build from them: the counts are those of
// tests/data/configs/index.csv (real files) and others.jsonl (more sizes and heads, counted in the same way).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/zoo/language_models.h"
#include "plan/weight/token_weight.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

const std::string kFolder = std::string(PLIM_TEST_DATA) + "/configs/";

struct Counted {
  int64_t params = 0, untied = 0;
};

Counted count(const Result<Graph>& graph) {
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  if (!graph.ok()) return {};
  const auto program = bind(*graph, {});
  EXPECT_TRUE(program.ok()) << program.error().line();
  if (!program.ok()) return {};
  Count params;
  for (const auto& value : program->values)
    if (value.role == Role::parameter) params += value.type->elements();
  return {params.value(), token_weight(*program, Macs(0)).untied_params.value()};
}

class ConfigCounts : public testing::TestWithParam<FactRow> {};

TEST_P(ConfigCounts, AreThoseOfTransformers) {
  FactRow row = GetParam();
  const Counted ours = count(import_config(kFolder + row["name"] + ".json"));
  EXPECT_EQ(ours.params, std::stoll(row["params_meta"]));
  EXPECT_EQ(ours.untied, std::stoll(row["params_untied"]));
}

std::string test_name(std::string name) {
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Real, ConfigCounts, testing::ValuesIn(csv_rows(kFolder + "index.csv")),
                         [](const auto& info) { return test_name(info.param.at("name")); });

TEST(OtherConfigCounts, AreThoseOfTransformers) {
  std::ifstream in(kFolder + "others.jsonl");
  std::string line;
  int64_t seen = 0;
  while (std::getline(in, line)) {
    const auto row = nlohmann::json::parse(line);
    SCOPED_TRACE(row["name"].get<std::string>());
    const Counted ours = count(import_config_text(row["config"].dump()));
    EXPECT_EQ(ours.params, row["params"].get<int64_t>());
    EXPECT_EQ(ours.untied, row["untied_params"].get<int64_t>());
    ++seen;
  }
  EXPECT_GE(seen, 395);
}

// Networks whose code comes with their files, which transformers does not have: what their checkpoints hold, as their
// safetensors files state it.
TEST(OwnCodeConfigCounts, AreThoseOfTheirCheckpoints) {
  std::ifstream in(kFolder + "own_code.jsonl");
  std::string line;
  int64_t seen = 0;
  while (std::getline(in, line)) {
    const auto row = nlohmann::json::parse(line);
    SCOPED_TRACE(row["name"].get<std::string>());
    EXPECT_EQ(count(import_config_text(row["config"].dump())).params, row["params"].get<int64_t>());
    ++seen;
  }
  EXPECT_GE(seen, 12);
}

// A name of the zoo and the file that was published under it are one network.
TEST(LanguageModelCounts, AreThoseOfTheFile) {
  for (const auto* name : {"llama-2-7b", "llama-3.1-405b", "mixtral-8x7b", "qwen3-30b-a3b", "gemma-2b", "phi-4",
                           "deepseek-v3", "kimi-k2", "gpt-oss-20b", "granite-3.3-8b", "bloom-7b1", "t5-base",
                           "whisper-base", "whisper-large-v3", "opt-1.3b", "mamba-130m", "sdxl-unet"}) {
    SCOPED_TRACE(name);
    const LanguageModel* model = find_language_model(name);
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(count(build_language_model(*model)).params, count(import_config(kFolder + name + ".json")).params);
  }
}

// What the published files of these names hold.
TEST(LanguageModelCounts, AreThoseOfTheirCheckpoints) {
  const std::pair<const char*, int64_t> published[] = {{"gemma-2-27b", 27'227'128'320},
                                                       {"gemma-3-4b", 4'300'079'472},
                                                       {"gemma-3-12b", 12'187'325'040},
                                                       {"gemma-3-27b", 27'432'406'640},
                                                       {"deepseek-r1", 671'026'404'352},
                                                       {"deepseek-r1-distill-qwen-1.5b", 1'777'088'000},
                                                       {"deepseek-r1-distill-qwen-7b", 7'615'616'512},
                                                       {"deepseek-r1-distill-qwen-14b", 14'770'033'664},
                                                       {"deepseek-r1-distill-qwen-32b", 32'763'876'352},
                                                       {"deepseek-r1-distill-llama-8b", 8'030'261'248},
                                                       {"deepseek-r1-distill-llama-70b", 70'553'706'496},
                                                       {"qwen3-coder-30b-a3b", 30'532'122'624},
                                                       {"qwen3-next-80b-a3b", 79'674'391'296},
                                                       {"smollm2-135m", 134'515'008},
                                                       {"smollm2-360m", 361'821'120},
                                                       {"smollm2-1.7b", 1'711'376'384}};
  for (const auto& [name, params] : published) {
    SCOPED_TRACE(name);
    const LanguageModel* model = find_language_model(name);
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(count(build_language_model(*model)).params, params);
  }
}

TEST(LanguageModelCounts, AllOfTheZooAreBuilt) {
  for (const auto& model : all_language_models()) {
    SCOPED_TRACE(std::string(model.name));
    EXPECT_GT(count(build_language_model(model)).params, 10'000'000);
  }
}

}  // namespace
}  // namespace plimsoll
