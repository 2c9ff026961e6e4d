#include "tests/accuracy/serving_runs.h"

#include <cmath>
#include <map>
#include <memory>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/zoo/language_models.h"
#include "plan/devices/all_devices.h"
#include "plan/serving/serving_time.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

// Measured, but not in the zoo.
const std::map<std::string, std::string>& other_configs() {
  static const std::map<std::string, std::string> kConfigs = {
      {"qwen2-57b-a14b",
       R"({"architectures":["Qwen2MoeForCausalLM"],"model_type":"qwen2_moe","hidden_size":3584,"num_hidden_layers":28,
           "num_attention_heads":28,"num_key_value_heads":4,"intermediate_size":18944,"moe_intermediate_size":2560,
           "shared_expert_intermediate_size":20480,"num_experts":64,"num_experts_per_tok":8,"vocab_size":151936,
           "max_position_embeddings":32768,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"tie_word_embeddings":false})"},
      {"gemma-3-4b",
       R"({"architectures":["Gemma3ForCausalLM"],"model_type":"gemma3_text","hidden_size":2560,"num_hidden_layers":34,
           "num_attention_heads":8,"num_key_value_heads":4,"head_dim":256,"intermediate_size":10240,
           "vocab_size":262208,"sliding_window":1024,"sliding_window_pattern":6,"max_position_embeddings":131072})"}};
  return kConfigs;
}

const ServedNetwork& network_named(const std::string& name) {
  static std::map<std::string, std::shared_ptr<const ServedNetwork>> kept;
  auto& found = kept[name];
  if (found) return *found;
  const auto other = other_configs().find(name);
  const LanguageModel* row = find_language_model(name);
  auto graph =
      other != other_configs().end() ? import_config_text(other->second, {128, name}) : build_language_model(*row, 128);
  EXPECT_TRUE(graph.ok()) << name << ": " << graph.error().line();
  BindOptions options;
  options.batch = 1;
  auto served = served_network(*bind(*graph, options));
  EXPECT_TRUE(served.ok()) << name;
  found = std::make_shared<const ServedNetwork>(*std::move(served));
  return *found;
}

Device device_named(const std::string& name) {
  Device device = *load_device(name);
  if (name == "amd-mi250x") device.memory_bandwidth->per_second /= 2;  // one of its two dies was measured
  return device;
}

// Programs of 2024 where today's differ: vLLM started kernels one by one past 8,192 tokens, llama.cpp on Apple's chips
// started more of them. Each by its own runs.
ServingProfile of_2024(ServingProfile profile, int64_t prompt) {
  if (profile.framework == Framework::vllm && prompt > 8192) {
    profile.host_kernels = 1;
    profile.host_kernel = {0.39e-3};
  }
  if (profile.on == ServedOn::apple) profile.per_layer = profile.per_quantised_layer = {169e-6};
  return profile;
}

int64_t number(const FactRow& row, const char* column) {
  const std::string& text = row.at(column);
  return text.empty() ? 0 : int64_t(std::stod(text));
}

struct Asked {
  ServingSetup setup;
  ServingProfile profile;
  ServingRun run;
};

std::shared_ptr<Asked> asked(const FactRow& row) {
  auto asked = std::make_shared<Asked>();
  ServingRun& run = asked->run;
  run.framework = *framework_named(row.at("framework"));
  run.model = row.at("model");
  run.device = row.at("device");
  run.weights = row.at("weights");
  run.devices = number(row, "devices");
  run.sequences = number(row, "sequences");
  run.prompt = number(row, "prompt");
  ServingSetup& setup = asked->setup;
  setup.network = &network_named(run.model);
  setup.weights = *find_weight_format(run.weights, "weights");
  setup.kv = *find_kv_format("bf16", "kv");
  setup.device = device_named(run.device);
  run.on = served_on(*setup.device);
  const bool old = row.at("version") == "old";
  const ServingProfile& today = *find_serving_profile(run.framework, run.on);
  asked->profile = old ? of_2024(today, run.prompt) : today;
  setup.profile = &asked->profile;
  setup.devices = run.devices;
  setup.concurrency = run.sequences;
  setup.all_logits = old && run.framework == Framework::hf;
  // llama-bench and llama-batched-bench are taken to have run with 2,048 tokens at once, the default is 512: an
  // assumption, the rows do not say.
  if (run.framework == Framework::llama_cpp && !old) setup.tokens_at_once = 2048;
  return asked;
}

double predicted_speed(const Asked& asked, const FactRow& row) {
  const ServingSetup& setup = asked.setup;
  const double prompt = double(number(row, "prompt")), output = double(number(row, "output")),
               past = double(number(row, "past"));
  const std::string& measure = row.at("measure");
  if (measure == "prefill") {
    if (asked.run.sequences > 1) {
      // Prompts of all sequences, one after the other in the same parts.
      ServingSetup one = setup;
      const double all = prompt * double(asked.run.sequences);
      const double whole = prompt_time(one, all)->value;
      // Each sequence sees only its own prompt.
      const double scores =
          2 * (setup.network->score_macs(all, 0) - double(asked.run.sequences) * setup.network->score_macs(prompt, 0));
      return all / (whole - scores / (product_rate(*setup.device, true) * setup.profile->scores_share));
    }
    return prompt / prompt_time(setup, prompt, past)->value;
  }
  const double seen = measure == "throughput" || past == 0 ? prompt + output / 2 : past + output / 2;
  const double step = step_time(setup, seen)->total.value;
  if (measure == "decode") return double(asked.run.sequences) / step;
  return output / (prompt_time(setup, prompt)->value + output * step);
}

}  // namespace

double ServingRun::error() const { return std::abs(predicted / measured - 1); }

std::vector<ServingRun> serving_speed_runs() {
  std::vector<ServingRun> runs;
  for (const auto& row : facts("serving_speed.csv")) {
    const auto question = asked(row);
    ServingRun run = question->run;
    run.measure = row.at("measure");
    run.measured = std::stod(row.at("tokens_per_second"));
    run.predicted = predicted_speed(*question, row);
    runs.push_back(run);
  }
  return runs;
}

std::vector<ServingRun> serving_memory_runs() {
  std::vector<ServingRun> runs;
  for (const auto& row : facts("serving_memory.csv")) {
    const auto question = asked(row);
    ServingSetup setup = question->setup;
    setup.prompt = question->run.prompt;
    setup.context = setup.prompt + number(row, "output");
    setup.devices = 1;  // summed over the devices
    ServingRun run = question->run;
    run.measure = "memory";
    run.measured = std::stod(row.at("bytes"));
    run.predicted = double(serving_memory(setup).allocated().value());
    runs.push_back(run);
  }
  return runs;
}

}  // namespace plimsoll
