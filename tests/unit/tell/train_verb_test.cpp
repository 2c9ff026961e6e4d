// train and eval from the command line, on a set that is learned in a moment.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

class TrainVerb : public testing::Test {
 protected:
  TrainVerb() { write_idx_set(data_); }

  std::vector<std::string> train(std::vector<std::string> more) const {
    std::vector<std::string> all{"train",      "mlp",    "--input", "1x8x8", "--classes", "4", "--data",
                                 data_.path(), "--json", "--lr",    "0.05",  "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Ran run(const std::vector<std::string>& words) const { return run_plimsoll(words, folder_.path()); }
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }

  TemporaryFolder data_, folder_;
};

TEST_F(TrainVerb, TrainsAndLeavesARunThatEvalReads) {
  const Ran ran = run(train({"--epochs", "6", "--batch", "8", "--save-best"}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["schema"], "plimsoll.train/1");
  ASSERT_EQ(json["epochs"].size(), 6u);
  for (const char* key : {"train_loss", "train_accuracy", "val_loss", "val_accuracy", "seconds", "images_per_second"})
    EXPECT_TRUE(json["epochs"][0][key].is_number()) << key;
  EXPECT_LT(json["epochs"][5]["train_loss"], json["epochs"][0]["train_loss"]);
  EXPECT_GE(json["test_accuracy"].get<double>(), 0.9);
  EXPECT_GT(json["planned_bytes"].get<int64_t>(), 0);
  EXPECT_GT(json["peak_bytes"].get<int64_t>(), 0);
  EXPECT_EQ(json["run_dir"], "runs/mlp-1");
  for (const char* name : {"config.json", "log.jsonl", "last.json", "best.json", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(file("runs/mlp-1/" + std::string(name)))) << name;
  EXPECT_FALSE(std::filesystem::exists(file("runs/mlp-1/lock")));
  EXPECT_NE(ran.err.find("Planned memory"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("epoch 6/6"), std::string::npos) << ran.err;

  const Ran eval = run({"eval", "runs/mlp-1", "--json", "--threads", "1"});
  ASSERT_EQ(eval.exit_code, 0) << eval.err;
  const nlohmann::json judged = nlohmann::json::parse(eval.out);
  EXPECT_EQ(judged["schema"], "plimsoll.eval/1");
  EXPECT_EQ(judged["part"], "test");
  EXPECT_EQ(judged["accuracy"], json["test_accuracy"]);
  EXPECT_DOUBLE_EQ(judged["loss"].get<double>(), json["test_loss"].get<double>());
  ASSERT_EQ(judged["confusion"].size(), 4u);
  int64_t samples = 0;
  for (const auto& row : judged["confusion"])
    for (const auto& count : row) samples += count.get<int64_t>();
  EXPECT_EQ(samples, judged["samples"]);
}

TEST_F(TrainVerb, TheReportNeedsNothingBesideIt) {
  ASSERT_EQ(run(train({"--epochs", "2"})).exit_code, 0);
  std::ifstream in(file("runs/mlp-1/report.html"));
  const std::string html((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(html.find("Planned against measured"), std::string::npos);
  EXPECT_NE(html.find(">Loss</text>"), std::string::npos);
  EXPECT_NE(html.find(">Accuracy</text>"), std::string::npos);
  EXPECT_NE(html.find(">Learning rate</text>"), std::string::npos);
  for (const char* outside : {"src=", "href=", "<script", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
}

TEST_F(TrainVerb, ABatchBeyondTheMemoryIsRefusedBeforeAnythingIsMade) {
  const Ran ran = run(train({"--batch", "100", "--memory", "15MiB"}));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find("batch 100 does not fit"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("it breaks at '"), std::string::npos) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["fits"], false);
  EXPECT_TRUE(json["breaking_tensor"]["name"].is_string());
  EXPECT_FALSE(std::filesystem::exists(file("runs")));
}

TEST_F(TrainVerb, AutoTakesABatchUnderTheLine) {
  const Ran ran = run(train({"--batch", "auto", "--max-steps", "1"}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["batch"], json["train_samples"]);  // far under the line: all samples there are
  EXPECT_LE(json["planned_bytes"].get<int64_t>(), json["line_bytes"].get<int64_t>());
}

TEST_F(TrainVerb, MicroBatchesTakeTheMemoryOfOneAndShowTheNoise) {
  const auto planned = [&](const std::string& batch, const std::string& parts) {
    const Ran ran = run(train({"--batch", batch, "--micro-batches", parts, "--epochs", "6", "--optimizer", "sgd"}));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  };
  const auto fits = [&](const std::string& batch, const std::string& parts) {
    const Ran ran = run({"fit", "mlp", "--input", "1x8x8", "--classes", "4", "--device", "this", "--batch", batch,
                         "--micro-batches", parts, "--optimizer", "sgd", "--threads", "1", "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out)["peak_bytes"].get<int64_t>();
  };
  const auto bytes = [](const nlohmann::json& json) { return json["planned_bytes"].get<int64_t>(); };
  const auto cut = planned("4", "4"), more = planned("4", "6"), small = planned("4", "1"), whole = planned("16", "1");
  EXPECT_EQ(cut["micro_batches"], 4);
  EXPECT_EQ(cut["global_batch"], 16);
  EXPECT_EQ(cut["steps_per_epoch"], whole["steps_per_epoch"]);
  EXPECT_EQ(cut["steps"], whole["steps"]);
  EXPECT_NEAR(cut["test_loss"].get<double>(), whole["test_loss"].get<double>(), 1e-4);
  EXPECT_EQ(bytes(cut), bytes(more)) << "more parts need no more";
  EXPECT_LE(bytes(cut), bytes(small) + 4 * cut["parameters"].get<int64_t>() + (1 << 16)) << "the sums of gradients";
  EXPECT_EQ(bytes(cut) - fits("4", "4"), bytes(small) - fits("4", "1")) << "fit knows what train takes";
  EXPECT_GT(cut["noise_scale"]["samples"].get<double>(), 0);
  EXPECT_GT(cut["noise_scale"]["average"].get<double>(), 0);
  EXPECT_LT(cut["noise_scale"]["low"], cut["noise_scale"]["samples"]);
  EXPECT_TRUE(whole["noise_scale"].is_null());
}

TEST_F(TrainVerb, TrustRatiosAreShownLayerByLayer) {
  const auto words = train({"--optimizer", "lamb:nvidia", "--epochs", "2", "--batch", "32", "--run-dir", "run"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json["trust_ratios"].size(), 3u);  // of the weights; biases are left out
  std::vector<nlohmann::json> logged;
  std::ifstream log(file("run/log.jsonl"));
  for (std::string line; std::getline(log, line);)
    if (const auto event = nlohmann::json::parse(line); event["event"] == "trust_ratios") logged.push_back(event);
  ASSERT_EQ(int64_t(logged.size()), json["steps"].get<int64_t>());
  for (const auto& one : json["trust_ratios"]) {
    EXPECT_GT(one["ratio"].get<double>(), 0);
    EXPECT_EQ(logged.back()["ratios"][one["parameter"].get<std::string>()], one["ratio"]);
  }
  std::string events;
  for (const auto& entry : std::filesystem::directory_iterator(file("run")))
    if (entry.path().filename().string().find("tfevents") != std::string::npos) {
      std::ifstream in(entry.path(), std::ios::binary);
      events.assign(std::istreambuf_iterator<char>(in), {});
    }
  EXPECT_NE(events.find("trust_ratio/" + json["trust_ratios"][0]["parameter"].get<std::string>()), std::string::npos);

  auto text = words;
  std::erase(text, "--json");
  text.back() = "second";
  EXPECT_NE(run(text).out.find("Trust ratios of the last step: least "), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(run(train({"--max-steps", "1"})).out)["trust_ratios"].is_null());
}

TEST_F(TrainVerb, MicroBatchesOfANetworkWithBatchNormAreSaidToBeGhosts) {
  const auto said = [&](std::vector<std::string> more) {
    std::vector<std::string> words{
        "train",      "convergence_bn", "--input", "1x14x14",   "--classes", "4",       "--data",
        data_.path(), "--max-steps",    "1",       "--threads", "1",         "--batch", "8"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.err.find("which is ghost batch norm: other maths than that of one batch of 16") != std::string::npos;
  };
  EXPECT_TRUE(said({"--micro-batches", "2"}));
  EXPECT_FALSE(said({"--micro-batches", "2", "--batchnorm", "ghost:4"})) << "the same groups either way";
  EXPECT_FALSE(said({}));
}

TEST_F(TrainVerb, ResumedItEndsAsIfItHadNeverStopped) {
  const std::vector<std::string> how{"--batch", "8", "--epochs", "2", "--optimizer", "adam", "--schedule", "cosine"};
  auto straight = how, first = how;
  straight.insert(straight.end(), {"--run-dir", "straight"});
  first.insert(first.end(), {"--run-dir", "parts", "--max-steps", "5"});
  const Ran whole = run(train(straight));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  ASSERT_EQ(run(train(first)).exit_code, 0);
  const Ran rest = run({"train", "--resume", "--run-dir", "parts", "--json"});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  const nlohmann::json a = nlohmann::json::parse(whole.out), b = nlohmann::json::parse(rest.out);
  EXPECT_EQ(a["steps"], b["steps"]);
  EXPECT_EQ(a["test_loss"], b["test_loss"]);
  EXPECT_EQ(a["epochs"][1]["train_loss"], b["epochs"][1]["train_loss"]);
  EXPECT_EQ(a["epochs"][1]["val_loss"], b["epochs"][1]["val_loss"]);

  const Ran other = run({"train", "--resume", "--run-dir", "parts", "--batch", "4"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("--batch is '4', but the run was started with '8'"), std::string::npos) << other.err;
  const Ran again = run(train({"--run-dir", "parts"}));
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("has a run already"), std::string::npos) << again.err;
}

TEST_F(TrainVerb, DataThatChangedIsNotGoneOnWith) {
  ASSERT_EQ(run(train({"--batch", "8", "--max-steps", "3", "--run-dir", "run"})).exit_code, 0);
  write_idx_part(data_, "train", 116, 8, 4);
  const Ran ran = run({"train", "--resume", "--run-dir", "run"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("is not what the run was started with"), std::string::npos) << ran.err;
}

TEST_F(TrainVerb, ConvolvesDirectlyWhereOnlyThatStaysUnderTheLine) {
  const TemporaryFolder pictures;
  write_idx_set(pictures, 120, 32);
  const auto trained = [&](std::vector<std::string> more) {
    std::vector<std::string> words{
        "train",         "convergence", "--input", "1x32x32", "--classes", "4",         "--data",
        pictures.path(), "--epochs",    "1",       "--batch", "32",        "--threads", "1",
        "--json",        "--load-line", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const Ran fast = trained({}), plain = trained({"--conv", "direct"});
  ASSERT_EQ(fast.exit_code, 0) << fast.err;
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_NE(plain.err.find("conv: "), std::string::npos) << plain.err;
  const auto fastest = nlohmann::json::parse(fast.out), direct = nlohmann::json::parse(plain.out);
  if (fastest["conv_methods"] == direct["conv_methods"]) return;  // a machine without other kernels
  const auto most = fastest["planned_bytes"].get<int64_t>(), least = direct["planned_bytes"].get<int64_t>();
  ASSERT_GT(most, least);
  const Ran tight = trained({"--memory", std::to_string((most + least) / 2) + "B"});
  ASSERT_EQ(tight.exit_code, 0) << tight.err;
  const auto json = nlohmann::json::parse(tight.out);
  EXPECT_EQ(json["conv_methods"], direct["conv_methods"]);
  EXPECT_EQ(json["planned_bytes"], least);
  EXPECT_NE(tight.err.find("Convolutions are computed directly to stay under the line"), std::string::npos)
      << tight.err;
}

}  // namespace
}  // namespace plimsoll
