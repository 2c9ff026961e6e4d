// What scripts rely on: the keys of fit's and place's JSON, and nothing else on stdout.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

nlohmann::json json_of(const std::vector<std::string>& arguments) {
  const Ran ran = run_plimsoll(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.err.empty()) << ran.err;
  return nlohmann::json::parse(ran.out, nullptr, false);
}

void expect_keys(const nlohmann::json& json, const std::vector<std::string>& keys) {
  for (const auto& key : keys) EXPECT_TRUE(json.contains(key)) << key;
}

TEST(FitVerb, HasTheKeysOfTheContract) {
  const nlohmann::json json = json_of({"fit", "resnet18", "--device", "nvidia-gtx-1080-ti", "--json"});
  EXPECT_EQ(json["schema"], "plimsoll.fit/1");
  expect_keys(json, {"batch", "peak_bytes", "memory_bytes", "load_line", "breakdown", "largest_tensor", "range",
                     "alternatives", "fits", "at_peak", "timeline"});
  expect_keys(json["breakdown"],
              {"parameters", "gradients", "optimizer", "activations", "workspace", "input", "fixed"});
  int64_t sum = 0;
  for (const auto& part : json["breakdown"]) sum += part.get<int64_t>();
  EXPECT_EQ(sum, json["peak_bytes"]);
  expect_keys(json["alternatives"].at(0), {"change", "batch", "slowdown"});
  EXPECT_EQ(*std::max_element(json["timeline"].begin(), json["timeline"].end()), json["peak_bytes"]);
  expect_keys(json["timeline_parts"], {"tensors", "workspace", "fixed"});
  for (size_t i = 0; i < json["timeline"].size(); ++i) {
    const auto& parts = json["timeline_parts"];
    EXPECT_EQ(parts["tensors"][i].get<int64_t>() + parts["workspace"][i].get<int64_t>() + parts["fixed"].get<int64_t>(),
              json["timeline"][i]);
  }
  EXPECT_EQ(json["memory_bytes"], int64_t{11} << 30);  // a GPU's "11 GB" is 11 GiB
  EXPECT_EQ(json["load_line"], 0.8);
}

TEST(FitVerb, TheLoadLineMoves) {
  const auto largest = [](const char* line) {
    return json_of({"fit", "resnet18", "--memory", "8GiB", "--load-line", line, "--json"})["batch"].get<int64_t>();
  };
  EXPECT_LT(largest("0.5"), largest("0.8"));
  EXPECT_LT(largest("0.8"), largest("1.0"));
}

TEST(FitVerb, RecomputationAndMicroBatchesCarryMore) {
  const auto largest = [](std::vector<std::string> more) {
    std::vector<std::string> words{"fit", "resnet50", "--memory", "8GiB", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json_of(words)["batch"].get<int64_t>();
  };
  EXPECT_GT(largest({"--recompute"}), largest({}));
  EXPECT_GT(largest({"--mode", "inference"}), largest({}));
  EXPECT_LT(largest({"--optimizer", "adam"}), largest({"--optimizer", "sgd"}));
}

// Of a network of 3x3 convolutions on this machine.
nlohmann::json fit_here(std::vector<std::string> more) {
  std::vector<std::string> words{"fit",     "vgg11", "--input",     "3x64x64", "--classes", "10", "--device", "this",
                                 "--batch", "16",    "--load-line", "1.0",     "--threads", "1",  "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_plimsoll(words);
  EXPECT_TRUE(ran.err.empty()) << ran.err;
  return nlohmann::json::parse(ran.out, nullptr, false);
}

bool says(const nlohmann::json& json, const std::string& part) {
  for (const auto& sentence : json["sentences"])
    if (sentence.get<std::string>().find(part) != std::string::npos) return true;
  return false;
}

// What is needed and what is taken where there is room are told apart only where it matters.
TEST(FitVerb, TheVerdictSaysWhereTheLineIs) {
  const auto verdict = [](const std::string& batch) {
    const Ran ran = run_plimsoll({"fit", "resnet50", "--device", "nvidia-t4", "--batch", batch, "--json", "--brief"});
    return nlohmann::json::parse(ran.out)["sentences"][0].get<std::string>();
  };
  const std::string small = verdict("32"), largest = verdict("135");
  EXPECT_EQ(small.find("Batch 32 fits: at its peak it takes "), 0u) << small;
  EXPECT_NE(small.find(", and the load line is at 12.80 GiB."), std::string::npos) << small;
  EXPECT_EQ(largest.find("Batch 135 fits: it needs "), 0u) << largest;
  EXPECT_NE(largest.find("Where there is room, it takes "), std::string::npos) << largest;
}

TEST(FitVerb, ConvolutionsAreDirectWhereOnlyThatStaysUnderTheLine) {
  const auto fastest = fit_here({}), direct = fit_here({"--conv", "direct"});
  EXPECT_EQ(direct["conv_methods"].size(), 1u);
  EXPECT_TRUE(direct["conv_methods"].contains("direct"));
  const auto most = fastest["peak_bytes"].get<int64_t>(), least = direct["peak_bytes"].get<int64_t>();
  if (fastest["conv_methods"] == direct["conv_methods"]) return;  // a machine without other kernels
  ASSERT_GT(most, least);
  const std::string between = std::to_string((most + least) / 2) + "B";

  const auto tight = fit_here({"--memory", between});
  EXPECT_TRUE(tight["fits"].get<bool>());
  EXPECT_EQ(tight["conv_methods"], direct["conv_methods"]);
  EXPECT_EQ(tight["peak_bytes"], least);
  EXPECT_TRUE(says(tight, "Convolutions are computed directly to stay under the line")) << tight["sentences"];
  EXPECT_TRUE(says(tight, "conv: ")) << tight["sentences"];
  EXPECT_FALSE(says(fastest, "computed directly"));

  const auto told = fit_here({"--memory", between, "--conv", "winograd"});
  EXPECT_FALSE(told["fits"].get<bool>()) << "the user's choice stays";
  const auto none = fit_here({"--memory", std::to_string(least / 2) + "B"});
  EXPECT_FALSE(none["fits"].get<bool>());
  EXPECT_EQ(none["conv_methods"], fastest["conv_methods"]) << "direct does not help either";
}

TEST(PlaceVerb, HasTheKeysOfTheContract) {
  const nlohmann::json json = json_of({"place", "lenet5", "--samples", "60000", "--epochs", "3", "--json"});
  EXPECT_EQ(json["schema"], "plimsoll.place/1");
  ASSERT_GE(json["ranking"].size(), 45u);
  for (const auto& row : json["ranking"])
    expect_keys(row, {"device", "fits", "batch", "step_seconds", "epoch_seconds", "total_seconds", "cost", "bound_by"});
  EXPECT_FALSE(json["verdict"]["choice"].get<std::string>().empty());
  EXPECT_GE(json["verdict"]["reasons"].size(), 4u);
}

TEST(PlaceVerb, TimesADeviceThatDoesNotFitToo) {
  const Ran ran = run_plimsoll(
      {"place", "resnet50", "--device", "nvidia-gt-1030", "--batch", "512", "--samples", "1000", "--json"});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_EQ(json["ranking"][0]["fits"], false);
  EXPECT_GT(json["ranking"][0]["step_seconds"], 0);
}

// The stages that the loader gives set the pace, and are named.
TEST(PlaceVerb, ALoaderThatIsTooSlowIsNamed) {
  const nlohmann::json json = json_of({"place", "catsdogs", "--framework", "tensorflow", "--optimizer", "adam",
                                       "--load-line", "1.0", "--device", "nvidia-t4", "--batch", "128", "--samples",
                                       "20000", "--host-cores", "2", "--decode-rate", "27", "--json"});
  const nlohmann::json row = json["ranking"][0];
  EXPECT_EQ(row["bound_by"], "decode");
  EXPECT_NE(row["loading"].get<std::string>().find("Loader-bound"), std::string::npos);
  EXPECT_NEAR(row["step_seconds"], 128.0 / (2 * 27), 1e-9);
}

// What the verdict names is in the table, however short that is.
TEST(PlaceVerb, TheVerdictIsInItsTable) {
  for (const char* top : {"1", "3", "1000"}) {
    const Ran ran = run_plimsoll({"place", "resnet50", "--samples", "1000000", "--top", top});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const size_t verdict = ran.out.find("\nVerdict: GPU, ");
    ASSERT_NE(verdict, std::string::npos) << ran.out;
    const size_t name = verdict + 15, end = ran.out.find(".\n", name);
    const std::string row = "\n" + ran.out.substr(name, end - name) + " (verdict)";
    EXPECT_LT(ran.out.find(row), verdict) << ran.out;
    EXPECT_EQ(ran.out.find(" (verdict)", ran.out.find(row) + row.size()), std::string::npos);
  }
}

// Where a host's CPU is not known its hardware threads stand for cores, or a number that is said.
TEST(PlaceVerb, TheDecodeRateCountsWhereTheHostIsNotKnown) {
  const auto row = [](const std::string& device, std::vector<std::string> more) {
    std::vector<std::string> words{"place",         "resnet50", "--dtype",  "amp",  "--sample-bytes", "110KB",
                                   "--decode-rate", "100",      "--device", device, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json_of(words);
  };
  struct Unknown {
    const char *device, *cores, *basis, *said;
  };
  for (const auto& [device, cores, basis, said] :
       {Unknown{"aws-g5.xlarge", "4", "threads", "each of its 4 hardware threads was counted as a core"},
        Unknown{"nvidia-t4", "8", "assumed", "8 cores were assumed"}}) {
    const auto answer = row(device, {});
    const auto placed = answer["ranking"][0];
    const auto told = row(device, {"--host-cores", cores})["ranking"][0];
    EXPECT_EQ(placed["step_seconds"], told["step_seconds"]) << device;
    EXPECT_EQ(placed["host_cores"], std::stoi(cores)) << device;
    EXPECT_EQ(placed["host_cores_basis"], basis) << device;
    EXPECT_EQ(told["host_cores_basis"], "given") << device;
    EXPECT_NE(placed["loading"].get<std::string>().find(said), std::string::npos) << placed["loading"];
    EXPECT_NE(answer["notes"].dump().find("--host-cores N"), std::string::npos) << answer["notes"];
    EXPECT_EQ(row(device, {"--host-cores", cores})["notes"].dump().find("--host-cores"), std::string::npos);
  }
  EXPECT_EQ(row("aws-g5.xlarge", {})["ranking"][0]["bound_by"], "decode");
  EXPECT_EQ(row("aws-g4dn.xlarge", {})["ranking"][0]["host_cores_basis"], "cpu");
}

TEST(PlaceVerb, OnlyDevicesOfAKind) {
  const auto devices = [](const char* kind) {
    return json_of({"place", "lenet5", "--samples", "1000", "--kind", kind, "--json"})["ranking"];
  };
  const auto rented = [](const nlohmann::json& row) {
    return !row["price"].is_null() && row["price"].get<std::string>().starts_with("rented");
  };
  for (const auto& row : devices("gpu")) EXPECT_EQ(row["kind"], "gpu");
  for (const auto& row : devices("cpu")) EXPECT_EQ(row["kind"], "cpu");
  for (const auto& row : devices("cloud")) EXPECT_TRUE(rented(row)) << row["device"];
  for (const auto& row : devices("owned")) EXPECT_TRUE(row["electricity"].is_null() || !rented(row)) << row["device"];
  const auto both = devices("gpu,cloud");
  ASSERT_FALSE(both.empty());
  EXPECT_LT(both.size(), devices("gpu").size());
  const Ran none = run_plimsoll({"place", "lenet5", "--device", "nvidia-t4", "--kind", "cpu"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("none of 1 device is cpu"), std::string::npos) << none.err;
  EXPECT_EQ(run_plimsoll({"place", "lenet5", "--kind", "tpu"}).exit_code, 2);
}

// Watts for hours at a price, for devices that are bought.
TEST(PlaceVerb, MoneyWithAndWithoutElectricity) {
  const auto row = [](const char* device, const char* price) {
    return json_of({"place", "resnet50", "--samples", "1000000", "--device", device, "--electricity", price,
                    "--json"})["ranking"][0];
  };
  const auto card = row("nvidia-rtx-3090", "0.2");
  EXPECT_NEAR(card["electricity"].get<double>(), 0.350 * card["total_seconds"].get<double>() / 3600 * 0.2, 1e-9);
  EXPECT_EQ(row("nvidia-rtx-3090", "0.4")["cost"], card["cost"]);
  EXPECT_TRUE(row("aws-g5.xlarge", "0.2")["electricity"].is_null());
  const Ran text = run_plimsoll({"place", "resnet50", "--samples", "1000000", "--device", "nvidia-rtx-3090"});
  EXPECT_NE(text.out.find("with power)"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("0.15 USD per kWh (--electricity USD)"), std::string::npos) << text.out;
}

TEST(PlaceVerb, FilesWithoutADecodeRateGetAUsualOne) {
  const auto answer = [](std::vector<std::string> more) {
    std::vector<std::string> words{"place",          "resnet50", "--device", "aws-g5.xlarge",
                                   "--sample-bytes", "110KB",    "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json_of(words);
  };
  const auto assumed = answer({}), given = answer({"--decode-rate", "100"});
  EXPECT_EQ(assumed["ranking"][0]["step_seconds"], given["ranking"][0]["step_seconds"]);
  EXPECT_NE(assumed["notes"].dump().find("One core was assumed to decode 100 samples/s"), std::string::npos);
  EXPECT_EQ(given["notes"].dump().find("was assumed to decode"), std::string::npos);
}

TEST(FitVerb, MemoryAloneSaysWhoseItIs) {
  const Ran own = run_plimsoll({"fit", "lenet5", "--memory", "24", "--brief"});
  ASSERT_EQ(own.exit_code, 0) << own.err;
  EXPECT_NE(own.out.find("This is the memory of our own engine; --framework pytorch plans PyTorch's."),
            std::string::npos)
      << own.out;
  const Ran torch = run_plimsoll({"fit", "lenet5", "--memory", "24G", "--framework", "pytorch", "--brief"});
  EXPECT_EQ(torch.out.find("our own engine"), std::string::npos) << torch.out;
}

TEST(FitVerb, TheDeviceIsShownByItsName) {
  EXPECT_EQ(json_of({"fit", "lenet5", "--device", "RTX 4090", "--brief", "--json"})["device"], "nvidia-rtx-4090");
  for (const char* mode : {"train", "generate"})
    EXPECT_EQ(json_of({"fit", "llama-3.2-1b", "--mode", mode, "--device", "RTX 4090", "--brief", "--json"})["device"],
              "nvidia-rtx-4090");
}

TEST(PlaceVerb, RanksByTimeAndByMoney) {
  const auto ranking = [](const char* by) {
    return json_of({"place", "alexnet", "--samples", "100000", "--by", by, "--json"})["ranking"];
  };
  const nlohmann::json by_time = ranking("time"), by_money = ranking("money");
  const nlohmann::json of_text = json_of({"place", "llama-3.1-8b", "--method", "lora:16", "--json"})["ranking"];
  // Of machines with the same cards the cheapest is first, and one without a price last.
  const auto money = [](const nlohmann::json& at) { return at["cost"].is_null() ? 1e300 : at["cost"].get<double>(); };
  for (const auto& ranked : {by_time, of_text})
    for (size_t i = 1; i < ranked.size(); ++i) {
      const auto &before = ranked[i - 1], &after = ranked[i];
      if (before["fits"] != after["fits"] || before["total_seconds"] != after["total_seconds"]) continue;
      EXPECT_LE(money(before), money(after)) << before["device"] << " " << after["device"];
    }
  for (size_t i = 1; i < by_time.size(); ++i) {
    if (by_time[i - 1]["fits"] == by_time[i]["fits"]) {
      EXPECT_LE(by_time[i - 1]["total_seconds"], by_time[i]["total_seconds"]) << i;
    }
  }
  EXPECT_LE(by_money[0]["cost"], by_money[1]["cost"]);
}

TEST(PlaceVerb, AccuracyIsPrinted) {
  const nlohmann::json json = json_of({"place", "--accuracy", "--json"});
  const nlohmann::json all = json["step_time"].back();
  EXPECT_GT(all["rows"], 1000);
  EXPECT_LE(all["median_error"], 0.15);
  EXPECT_LE(all["worst_factor"], 2.5);
}

// A step of four parts takes four times as long and has four times the samples.
TEST(PlaceVerb, MicroBatchesCountTheirSamples) {
  const auto rate = [](const char* parts) {
    return json_of({"place", "resnet18", "--device", "nvidia-t4", "--batch", "16", "--micro-batches", parts,
                    "--json"})["ranking"]
        .at(0)["samples_per_second"]
        .get<double>();
  };
  EXPECT_NEAR(rate("4") / rate("1"), 1, 0.05);
}

}  // namespace
}  // namespace plimsoll
