// What scripts rely on: the keys of scale's JSON, its other forms, and nothing else on stdout.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::vector<std::string> scale_words(std::vector<std::string> more) {
  std::vector<std::string> words{"scale", "resnet18", "--device", "nvidia-t4", "--link", "10gbe"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json scale_json_of(std::vector<std::string> more) {
  more.emplace_back("--json");
  const Ran ran = run_plimsoll(scale_words(std::move(more)));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.err.empty()) << ran.err;
  return nlohmann::json::parse(ran.out, nullptr, false);
}

TEST(ScaleVerb, HasTheKeysOfTheContract) {
  const auto json = scale_json_of({"--workers", "1,2,4,8", "--epochs", "90", "--critical-batch", "4000"});
  EXPECT_EQ(json["schema"], "plimsoll.scale/1");
  ASSERT_EQ(json["runs"].size(), 4u);
  for (const auto& run : json["runs"])
    for (const char* key : {"workers", "images_per_second", "efficiency", "steps", "total_seconds", "cost",
                            "global_batch", "step_seconds", "exposed_seconds", "waiting_seconds"})
      EXPECT_TRUE(run.contains(key)) << key;
  EXPECT_EQ(json["runs"][3]["workers"], 8);
  for (const char* key : {"knee", "recommendation", "verdict", "notes", "if_critical_batch", "wiring"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"workers", "batch", "global_batch", "learning_rate_factor", "warm_up_steps"})
    EXPECT_TRUE(json["recommendation"].contains(key)) << key;
  EXPECT_EQ(json["recommendation"]["workers"], json["verdict"]["choice"]);
  EXPECT_EQ(json["steps_are"], "to the same loss");
}

TEST(ScaleVerb, WithoutACriticalBatchTheVerdictIsOpen) {
  const auto json = scale_json_of({"--batch", "32"});
  EXPECT_TRUE(json["critical_batch"].is_null());
  EXPECT_TRUE(json["recommendation"].is_null());
  EXPECT_TRUE(json["verdict"]["choice"].is_null());
  EXPECT_EQ(json["steps_are"], "of the same epochs");
  EXPECT_GE(json["if_critical_batch"].size(), 3u);
}

TEST(ScaleVerb, ARangeIsAnsweredAtBothEnds) {
  const auto json = scale_json_of({"--batch", "32", "--noise-scale", "1000-4000"});
  EXPECT_EQ(json["critical_batch"], 2000);
  ASSERT_EQ(json["if_critical_batch"].size(), 2u);
  EXPECT_EQ(json["if_critical_batch"][0]["critical_batch"], 1000);
  EXPECT_EQ(json["if_critical_batch"][1]["critical_batch"], 4000);
}

TEST(ScaleVerb, WorkersAsDoublings) {
  const auto json = scale_json_of({"--batch", "32", "--workers", "1..20,3"});
  std::vector<int> workers;
  for (const auto& run : json["runs"]) workers.push_back(run["workers"]);
  EXPECT_EQ(workers, (std::vector<int>{1, 2, 3, 4, 8, 16, 20}));
}

TEST(ScaleVerb, TheLearningRateIsScaled) {
  const auto rate = [](const char* rule) {
    return scale_json_of({"--batch", "32", "--workers", "16", "--critical-batch", "4000", "--lr", "0.1", "--scale-lr",
                          rule})["recommendation"]["learning_rate"]
        .get<double>();
  };
  EXPECT_DOUBLE_EQ(rate("linear"), 0.1 * 16);
  EXPECT_DOUBLE_EQ(rate("sqrt"), 0.1 * 4);
  EXPECT_DOUBLE_EQ(rate("none"), 0.1);
}

TEST(ScaleVerb, GradientsInHalfTheBytes) {
  const auto plain = scale_json_of({"--batch", "32"})["runs"][3];
  const auto half = scale_json_of({"--batch", "32", "--wire", "f16"})["runs"][3];
  EXPECT_EQ(half["gradient_bytes"].get<int64_t>() * 2, plain["gradient_bytes"].get<int64_t>());
  EXPECT_LT(half["exposed_seconds"], plain["exposed_seconds"]);
}

TEST(ScaleVerb, AnotherFrameworkAndOneProcess) {
  EXPECT_EQ(scale_json_of({"--batch", "32", "--framework", "tensorflow"})["framework"], "tensorflow");
  const Ran ran = run_plimsoll({"scale", "resnet50", "--device", "nvidia-titan-xp", "--workers", "1,4", "--batch", "12",
                                "--exchange", "one-process", "--json"});
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_EQ(json["exchange"], "one-process");
  EXPECT_LT(json["runs"][1]["efficiency"], 0.9);
}

TEST(ScaleVerb, ADeadlineThatCannotBeMetIsExitCode1) {
  const Ran ran = run_plimsoll(scale_words({"--critical-batch", "100", "--deadline", "1ms", "--json"}));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_EQ(json["verdict"]["aim_met"], false);
  EXPECT_TRUE(json["recommendation"].is_null());
  EXPECT_EQ(json["runs"].size(), 4u);
}

TEST(ScaleVerb, ABatchThatDoesNotFitIsNotRecommended) {
  const Ran ran = run_plimsoll(scale_words({"--batch", "100000", "--critical-batch", "1000"}));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("(does not fit)"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("does not fit nvidia-t4"), std::string::npos) << ran.out;
}

TEST(ScaleVerb, DrawsAndCounts) {
  const auto folder = std::filesystem::temp_directory_path() / "plimsoll_scale_verb_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "scale.svg").string();
  const Ran ran = run_plimsoll(scale_words({"--batch", "32", "--csv", "--plot", path}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("workers,nodes,batch,global_batch")) << ran.out;
  std::ifstream file(path);
  std::string first;
  std::getline(file, first);
  EXPECT_NE(first.find("<svg"), std::string::npos) << first;
  std::filesystem::remove_all(folder);
}

TEST(ScaleVerb, ListsItsLinksAndItsErrors) {
  EXPECT_NE(run_plimsoll({"scale", "--links"}).out.find("ib-hdr"), std::string::npos);
  EXPECT_NE(run_plimsoll({"scale", "--accuracy"}).out.find("efficiency"), std::string::npos);
  const auto links = nlohmann::json::parse(run_plimsoll({"scale", "--links", "--json"}).out, nullptr, false);
  EXPECT_EQ(links["schema"], "plimsoll.scale/1");
  for (const auto& link : links["links"]) EXPECT_FALSE(link["source"].get<std::string>().empty());
  const auto errors = nlohmann::json::parse(run_plimsoll({"scale", "--accuracy", "--json"}).out, nullptr, false);
  EXPECT_EQ(errors["schema"], "plimsoll.scale/1");
  EXPECT_FALSE(errors["scaling"].empty());
}

TEST(ScaleVerb, TakesTheNoiseScaleOfARun) {
  const TemporaryFolder run;
  run.write("log.jsonl",
            "{\"event\":\"step\",\"step\":1,\"noise_scale\":10.0}\n"
            "{\"event\":\"step\",\"step\":2,\"noise_scale\":812.5}\n{\"event\":\"end\",\"step\":2}\n");
  const std::vector<std::string> words{"scale", "lenet5", "--device", "nvidia-t4", "--json", "--noise-scale"};
  const auto with = [&](const std::string& noise) {
    auto all = words;
    all.push_back(noise);
    return run_plimsoll(all);
  };
  const Ran typed = with("812.5"), read = with(run.path());
  EXPECT_EQ(typed.exit_code, 0) << typed.err;
  EXPECT_EQ(read.out, typed.out);
  const TemporaryFolder without;
  without.write("log.jsonl", "{\"event\":\"end\",\"step\":2}\n");
  const Ran none = with(without.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("has no gradient noise scale"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace plimsoll
