// Answers about networks with unknown operations: every one of them says that it is a lower bound, and why.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "plan/weight/lower_bound_text.h"
#include "tests/harness/run_program.h"
#include "tests/harness/served_page.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using nlohmann::json;

// A file of tests/data/unknown whose operations are somebody's own: the same bytes, of a domain that nobody knows.
std::string of_unknown_domain(const TemporaryFolder& folder, const std::string& name) {
  std::ifstream in(PLIM_TEST_DATA "/unknown/" + name, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::pair<std::string, std::string> domains[] = {{"com.microsoft", "com.elsewhere"},
                                                         {"ai.onnx.ml", "ai.unknown"}};
  for (const auto& [known, unknown] : domains)  // of the same length, which is written before them
    for (size_t at = bytes.find(known); at != std::string::npos; at = bytes.find(known, at))
      bytes.replace(at, known.size(), unknown);
  return folder.write(name, bytes);
}

// An unknown operation before the network, whose output an exporter has stated: all that follows can be trained.
std::string scaled_network() {
  OnnxModel model;
  model.input("raw", {"batch", 3, 8, 8});
  model.node("Scaler", {"raw"}, {"x"}, "scale").set_domain("com.example");
  fill_value(*model.graph.add_value_info(), "x", {"batch", 3, 8, 8}, onnx::TensorProto::FLOAT);
  model.weight("conv.weight", {4, 3, 3, 3});
  model.node("Conv", {"x", "conv.weight"}, {"c"}, "conv");
  model.node("Flatten", {"c"}, {"f"}, "flatten");
  model.weight("fc.weight", {144, 10});
  model.node("MatMul", {"f", "fc.weight"}, {"y"}, "fc");
  model.output("y");
  return model.bytes();
}

std::string printed_answer(const std::vector<std::string>& words, const std::string& folder = ".") {
  const Ran ran = run_plimsoll(words, folder);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ran.out;
}

bool text_has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(LowerBoundText, IsOneSentenceThatNamesThem) {
  EXPECT_EQ(lower_bound_text({}), "");
  EXPECT_EQ(lower_bound_text({{{"my:Odd", 1}}, 0, 0}),
            "Lower bound: 1 operation is not known (my:Odd ×1) and is not counted.");
  EXPECT_EQ(lower_bound_text({{{"my:Odd", 1}}, 1, 0}),
            "Lower bound: 1 operation is not known (my:Odd ×1) and is not counted, nor is 1 operation whose size "
            "depends on it.");
  EXPECT_EQ(lower_bound_text({{{"my:Even", 1000}, {"my:Odd", 2}}, 3, 0}),
            "Lower bound: 1,002 operations of 2 kinds are not known (my:Even ×1000, my:Odd ×2) and are not counted, "
            "nor are 3 operations whose sizes depend on them.");
  EXPECT_EQ(lower_bound_text({{}, 2, 0}),
            "Lower bound: 2 operations depend on shapes that are not known and are not counted.");
  EXPECT_EQ(lower_bound_text({{}, 0, 1}),
            "Lower bound: 1 operation is in a loop without a known end, of which one round is counted.");
  const std::string hostile = lower_bound_text({{{"a\nb" + std::string(5000, 'x'), 1}}, 0, 0});
  EXPECT_LT(hostile.size(), 300u);
  EXPECT_FALSE(text_has(hostile, "\n"));
}

TEST(LowerBound, FitNamesUnknownOperationsAndClaimsNeitherAFitNorAnAccuracy) {
  const TemporaryFolder folder;
  const std::string file = of_unknown_domain(folder, "nchwc_convolutions.onnx");
  const std::vector<std::string> words{"fit", file, "--mode", "inference", "--device", "nvidia-rtx-4090"};
  const std::string text = printed_answer(words);
  EXPECT_TRUE(text_has(text, "Lower bound: 48 operations of 3 kinds are not known (com.elsewhere.nchwc:Conv ×46, "))
      << text;
  EXPECT_TRUE(text_has(text, "nor are 2 operations whose sizes depend on them.")) << text;
  EXPECT_TRUE(text_has(text, "No batch above ")) << text;
  EXPECT_TRUE(text_has(text, "peak, at least")) << text;
  for (const char* claim : {"is the largest under the line", "median error", "was checked against"})
    EXPECT_FALSE(text_has(text, claim)) << claim;

  auto asked = words;
  asked.insert(asked.end(), {"--batch", "64"});
  EXPECT_TRUE(text_has(printed_answer(asked), "Batch 64 may fit: what is known of it takes "));
  asked.push_back("--json");
  const json answer = json::parse(printed_answer(asked));
  EXPECT_EQ(answer["lower_bound"], true);
  EXPECT_EQ(answer["unknown_ops"].size(), 3u);
  EXPECT_EQ(answer["unknown_ops"][0], (json{{"op", "com.elsewhere.nchwc:Conv"}, {"count", 46}}));
  EXPECT_EQ(answer["uncounted_operations"], 2);
  EXPECT_EQ(answer["sentences"][2], answer["lower_bound_reason"]);
}

TEST(LowerBound, EveryFileWithUnknownOperationsIsSaidToHaveThem) {
  const std::pair<const char*, const char*> cases[] = {{"matmulnbits_int4", "com.elsewhere:MatMulNBits"},
                                                       {"qoperator_int8", "com.elsewhere:QLinearAdd"},
                                                       {"sklearn_mlp_scaler", "ai.unknown:Scaler"}};
  const TemporaryFolder folder;
  for (const auto& [name, unknown] : cases) {
    const std::string file = of_unknown_domain(folder, std::string(name) + ".onnx");
    const std::vector<std::string> more{file, "--mode", "inference", "--device", "nvidia-t4", "--dim", "seq=16"};
    for (const char* verb : {"fit", "place"}) {
      std::vector<std::string> words{verb};
      words.insert(words.end(), more.begin(), more.end());
      const std::string text = printed_answer(words);
      EXPECT_TRUE(text_has(text, "Lower bound: ")) << verb << " " << name << "\n" << text;
      EXPECT_TRUE(text_has(text, unknown)) << verb << " " << name << "\n" << text;
    }
  }
}

TEST(LowerBound, PlaceAndScaleSayIt) {
  const TemporaryFolder folder;
  const std::string file = folder.write("scaled.onnx", scaled_network());
  const std::string sentence = "Lower bound: 1 operation is not known (com.example:Scaler ×1) and is not counted.";
  const std::vector<std::string> place{"place", file, "--device", "nvidia-t4"};
  const std::vector<std::string> scale{"scale", file, "--device", "nvidia-t4", "--workers", "1,2"};
  for (auto words : {place, scale}) {
    const std::string text = printed_answer(words);
    EXPECT_TRUE(text_has(text, sentence)) << text;
    EXPECT_FALSE(text_has(text, "Compared with")) << text;
    EXPECT_FALSE(text_has(text, "Verdict: GPU")) << text;
    words.push_back("--json");
    const json answer = json::parse(printed_answer(words));
    EXPECT_EQ(answer["lower_bound"], true);
    EXPECT_EQ(answer["unknown_ops"], json::array({{{"op", "com.example:Scaler"}, {"count", 1}}}));
    EXPECT_EQ(answer["lower_bound_reason"], sentence);
  }
  auto markdown = scale, csv = scale, plot = scale;
  markdown.push_back("--markdown");
  EXPECT_TRUE(text_has(printed_answer(markdown), sentence));
  csv.push_back("--csv");
  const std::string table = printed_answer(csv);
  EXPECT_TRUE(text_has(table, ",lower_bound\n")) << table;
  EXPECT_TRUE(text_has(table, ",1\n")) << table;
  plot.insert(plot.end(), {"--plot", "s.svg"});
  printed_answer(plot, folder.path());
  std::ifstream drawn(folder.path() + "/s.svg");
  EXPECT_TRUE(text_has({std::istreambuf_iterator<char>(drawn), {}}, "unknown operations left out"));
}

TEST(LowerBound, WhatIsKnownIsNotSaidToBeOne) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"fit", "lenet5", "--memory", "1GiB", "--brief", "--json"},
        {"place", "lenet5", "--device", "nvidia-t4", "--json"},
        {"scale", "lenet5", "--device", "nvidia-t4", "--workers", "1", "--json"}}) {
    const json answer = json::parse(printed_answer(words));
    EXPECT_EQ(answer["lower_bound"], false) << words[0];
    EXPECT_EQ(answer["unknown_ops"], json::array()) << words[0];
    EXPECT_FALSE(answer.contains("lower_bound_reason")) << words[0];
  }
}

TEST(LowerBound, NetworksSideBySideAndTheReportSayIt) {
  const TemporaryFolder folder;
  const std::string file = folder.write("scaled.onnx", scaled_network());
  const std::string sentence = "Lower bound: 1 operation is not known (com.example:Scaler ×1)";
  EXPECT_TRUE(text_has(printed_answer({"weigh", "lenet5", file}), file + ": " + sentence));
  EXPECT_TRUE(text_has(printed_answer({"weigh", "lenet5", file, "--markdown"}), sentence));
  const json answer = json::parse(printed_answer(
      {"report", file, "--device", "nvidia-t4", "--batch", "4", "-o", "r.html", "--json"}, folder.path()));
  std::ifstream html(folder.path() + "/r.html");
  const std::string text{std::istreambuf_iterator<char>(html), {}};
  for (const char* part : {"Lower bound: 1 operation is not known (com.example:Scaler", "At least ",
                           "A batch of 4 may fit", "Times, memory and money are lower bounds."})
    EXPECT_TRUE(text_has(text, part)) << part;
  EXPECT_EQ(answer["networks"][0]["fit"]["lower_bound"], true);
  EXPECT_EQ(answer["networks"][0]["by_time"]["lower_bound"], true);
}

TEST(LowerBound, ThePageGetsItWithItsAnswers) {
  const ServedPage page;
  const RawReply sent = page.post("/api/upload", scaled_network(), "application/octet-stream");
  ASSERT_EQ(sent.status, 200) << sent.body;
  json question{{"model", json::parse(sent.body)["model"]}, {"device", "nvidia-t4"}, {"batch", 2}};
  for (const char* verb : {"fit", "place", "scale"}) {
    const RawReply reply = page.post(std::string("/api/") + verb, question.dump());
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(json::parse(reply.body)["lower_bound"], true) << verb;
  }
}

// What would run them refuses.
TEST(LowerBound, BenchRefusesWhatItCannotRun) {
  const TemporaryFolder folder;
  const std::string file = folder.write("scaled.onnx", scaled_network());
  const Ran ran = run_plimsoll({"bench", file, "--threads", "1"});
  EXPECT_EQ(ran.exit_code, 2) << ran.out;
  EXPECT_TRUE(text_has(ran.err, "com.example:Scaler")) << ran.err;
}

}  // namespace
}  // namespace plimsoll
