// Steps of BERT and GPT-2 against what others measured (tests/data/facts/transformer_speed.csv): NeuSight's in f32,
// forward and backward, and NVIDIA's DeepLearningExamples (BERT-large, LAMB, f32, TF32 and mixed precision, on 1 to 128
// cards). No number of plan/llm was chosen by these rows, with any card in it or out; V100's and T4's products in f32
// are of tiles that were fitted to single products of the same cards (docs/accuracy.md has them with the card left
// out).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/rows/json.h"
#include "model/hf/import_config.h"
#include "plan/devices/all_devices.h"
#include "plan/llm/token_time.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

Result<Graph> transformer(FactRow& row) {
  const int64_t hidden = std::stoll(row["hidden"]), sequence = std::stoll(row["sequence"]);
  Json config = {{"vocab_size", std::stoll(row["vocabulary"])}};
  if (row["architecture"] == "bert")
    config.update({{"architectures", {"BertForMaskedLM"}},
                   {"model_type", "bert"},
                   {"hidden_size", hidden},
                   {"intermediate_size", 4 * hidden},
                   {"num_hidden_layers", std::stoll(row["layers"])},
                   {"num_attention_heads", std::stoll(row["heads"])},
                   {"max_position_embeddings", 512}});
  else
    config.update({{"architectures", {"GPT2LMHeadModel"}},
                   {"model_type", "gpt2"},
                   {"n_embd", hidden},
                   {"n_layer", std::stoll(row["layers"])},
                   {"n_head", std::stoll(row["heads"])},
                   {"n_positions", sequence}});
  ConfigOptions options;
  options.sequence = sequence;
  return import_config_text(config.dump(), options);
}

// Milliseconds of what was measured.
double said(FactRow& row) {
  auto graph = transformer(row);
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  TrainingSetup setup;
  setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  setup.attention = AttentionKernel::eager;
  setup.format = row["format"] == "amp" ? TokenFormat::amp : TokenFormat::f32;
  setup.habits.tf32 = row["format"] == "tf32";
  setup.degrees.workers = std::stoll(row["devices"]);
  setup.micro_batches = std::stoll(row["micro_batches"]);
  auto form = token_form(*graph, setup);
  EXPECT_TRUE(form.ok()) << form.error().line();
  const Device device = *load_device(row["device"]);
  const auto inside = link_inside(device);
  const Wiring wiring{8, inside ? *inside : link_of_rate("PCIe", {12e9}, Seconds{10e-6}),
                      link_of_rate("InfiniBand", {200e9 * 0.8}, Seconds{10e-6})};
  const auto time = token_time(token_work(*form, setup), setup, std::stoll(row["micro_batch"]), device, wiring);
  EXPECT_TRUE(time.ok()) << time.error().line();
  if (row["set"] == "neusight") return (time->forward.value + time->backward.value) * 1e3;
  return time->step.value * 1e3;
}

double middle(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers.empty() ? 0 : numbers[numbers.size() / 2];
}

TEST(TransformerSpeed, AgreesWithWhatOthersMeasured) {
  std::map<std::string, std::vector<double>> errors;
  std::map<std::string, std::pair<double, double>> on_eight;
  std::vector<double> efficiencies;
  const bool shown = std::getenv("PLIM_SHOW_ROWS") != nullptr;
  for (FactRow row : facts("transformer_speed.csv")) {
    const double told = said(row), measured = std::stod(row["milliseconds"]);
    const std::string set = row["set"].substr(0, row["set"].find(' '));
    errors[set].push_back(std::abs(told / measured - 1));
    errors[set + " " + row["device"] + " " + row["format"]].push_back(std::abs(told / measured - 1));
    if (shown)
      std::printf("%s %s h %s seq %s batch %s x %s %s on %s x %s: %.1f of %.1f ms %+.1f %%\n", row["set"].c_str(),
                  row["architecture"].c_str(), row["hidden"].c_str(), row["sequence"].c_str(),
                  row["micro_batch"].c_str(), row["micro_batches"].c_str(), row["format"].c_str(),
                  row["devices"].c_str(), row["device"].c_str(), told, measured, 100 * (told / measured - 1));
    const double samples = std::stod(row["micro_batch"]) * std::stod(row["micro_batches"]);
    const std::string shape = row["device"] + row["format"] + row["sequence"];
    if (row["devices"] == "8") on_eight[shape] = {samples / told, samples / measured};
    if (std::stoll(row["devices"]) > 8 && on_eight.contains(shape))
      efficiencies.push_back(
          std::abs(samples / told / on_eight[shape].first - samples / measured / on_eight[shape].second));
  }
  if (shown) {
    for (const auto& [name, all] : errors)
      std::printf("%s: %zu rows, median %.1f %%\n", name.c_str(), all.size(), 100 * middle(all));
    std::printf("efficiency %.1f points over %zu\n", 100 * middle(efficiencies), efficiencies.size());
  }
  EXPECT_LT(middle(errors["neusight"]), 0.12);
  // NVIDIA's pre-training in mixed precision takes less than half of what we say: its norms, dropouts and softmaxes are
  // fused and its head sees the masked words alone, neither of which a setup can say yet. How it scales is right.
  EXPECT_EQ(errors["DeepLearningExamples"].size(), 40U);
  EXPECT_LT(middle(efficiencies), 0.08);
}

}  // namespace
}  // namespace plimsoll
