// Steps of BERT, BART, ELECTRA and GPT-2 against what others measured (tests/data/facts/transformer_speed.csv):
// NeuSight's in f32, forward and backward, and NVIDIA's DeepLearningExamples (f32, TF32 and mixed precision, on 1 to
// 320 cards). No number of plan/llm was chosen by these rows, with any card in it or out; V100's and T4's products in
// f32 are of tiles that were fitted to single products of the same cards (docs/accuracy.md has them with the card left
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

bool is_pretraining(FactRow& row) { return row["architecture"] == "bert" && row["set"].ends_with("pretrain"); }

// What NVIDIA's pre-training of BERT computes is shorter than the 512 tokens that its second phase is named after: its
// scripts sort samples into bins of 64 tokens and pad a batch to its longest. 48 % of Wikipedia's and BookCorpus's
// samples at 512 would be padding (openreview.net/forum?id=3nzKUh9a4M); half a bin of it is taken to be left. The first
// phase, of 128, has no bins.
int64_t length_of(FactRow& row) {
  const int64_t most = std::stoll(row["sequence"]);
  return is_pretraining(row) && most == 512 ? int64_t(double(most) * (1 - 0.48)) + 64 / 2 : most;
}

std::string head_of(FactRow& row) {
  if (is_pretraining(row)) return "BertForPreTraining";
  if (row["architecture"] == "electra") return "ElectraForQuestionAnswering";
  return row["set"].ends_with("finetune") ? "BertForQuestionAnswering" : "BertForMaskedLM";
}

Result<Graph> transformer(FactRow& row) {
  const int64_t hidden = std::stoll(row["hidden"]), sequence = length_of(row);
  Json config = {{"vocab_size", std::stoll(row["vocabulary"])}};
  if (row["architecture"] == "bart")
    config.update({{"architectures", {"BartForConditionalGeneration"}},
                   {"model_type", "bart"},
                   {"d_model", hidden},
                   {"encoder_layers", std::stoll(row["layers"])},
                   {"decoder_layers", std::stoll(row["layers"])},
                   {"encoder_attention_heads", std::stoll(row["heads"])},
                   {"decoder_attention_heads", std::stoll(row["heads"])},
                   {"encoder_ffn_dim", 4 * hidden},
                   {"decoder_ffn_dim", 4 * hidden},
                   {"max_position_embeddings", 1024}});
  else if (row["architecture"] != "gpt2")
    config.update({{"architectures", {head_of(row)}},
                   {"model_type", row["architecture"]},
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
  if (row["architecture"] == "electra") config["embedding_size"] = hidden;
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
  if (is_pretraining(row)) setup.habits.scored = 0.15;  // the words that are masked
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
    errors[set + " " + row["architecture"]].push_back(std::abs(told / measured - 1));
    errors[set + " " + row["device"] + " " + row["format"]].push_back(std::abs(told / measured - 1));
    if (shown)
      std::printf("%s %s h %s seq %s batch %s x %s %s on %s x %s: %.1f of %.1f ms %+.1f %%\n", row["set"].c_str(),
                  row["architecture"].c_str(), row["hidden"].c_str(), row["sequence"].c_str(),
                  row["micro_batch"].c_str(), row["micro_batches"].c_str(), row["format"].c_str(),
                  row["devices"].c_str(), row["device"].c_str(), told, measured, 100 * (told / measured - 1));
    const double samples = std::stod(row["micro_batch"]) * std::stod(row["micro_batches"]);
    const std::string shape = row["set"] + row["device"] + row["format"] + row["sequence"];
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
  EXPECT_EQ(errors["DeepLearningExamples"].size(), 74U);
  for (const std::string set : {"", " bert", " bart", " nvidia-a100-80gb amp", " nvidia-a100-80gb tf32"})
    EXPECT_LT(middle(errors.at("DeepLearningExamples" + set)), 0.12) << set;
  // The same step on the same chip is published with 87 and with 104 ms: 100 lies between.
  EXPECT_LT(middle(errors.at("DeepLearningExamples electra")), 0.15);
  EXPECT_LT(middle(efficiencies), 0.08);
}

}  // namespace
}  // namespace plimsoll
