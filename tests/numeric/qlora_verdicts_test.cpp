// Fine-tuning in 4 bits on a T4: what ran and what ran out of memory, as a blog of bitsandbytes' authors lists it
// (tests/data/facts/qlora_verdicts.csv; rows in 8 bits are left out, which is no method here). The rank and the layers
// of the adapters are not stated; they hardly matter. Of 16 GiB a T4 keeps a sixteenth for checksums.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/hf/import_config.h"
#include "model/zoo/language_models.h"
#include "plan/devices/all_devices.h"
#include "plan/llm/step_memory.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

// What the library of 2023 did: attention as products and a softmax, and everything that is not in 4 bits in f32.
TrainingSetup of_2023(FactRow& row) {
  TrainingSetup setup;
  setup.tuning = *parse_tuning("method", row["tuning"]);
  setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  setup.attention = AttentionKernel::eager;
  setup.checkpointing = row["checkpointing"] == "full" ? Checkpointing::full : Checkpointing::none;
  setup.habits.double_quantised = row["double_quantised"] == "1";
  setup.habits.quantised_input_bytes = 4;
  return setup;
}

TEST(QloraVerdicts, AreRightOnAT4) {
  const Device device = *load_device("nvidia-t4");
  int right = 0, rows = 0;
  for (FactRow row : facts("qlora_verdicts.csv")) {
    ConfigOptions options;
    options.sequence = std::stoll(row["sequence"]);
    auto graph = import_config_text(std::string(find_language_model(row["model"])->config), options);
    ASSERT_TRUE(graph.ok()) << graph.error().line();
    const TrainingSetup setup = of_2023(row);
    auto form = token_form(*graph, setup);
    ASSERT_TRUE(form.ok()) << form.error().line();
    const StepMemory memory = step_memory(*form, step_trace(*form, setup), setup, std::stoll(row["batch"]), &device);
    const double share = double(memory.needed().value()) / (std::stod(row["memory_mib"]) * (1 << 20));
    if (std::getenv("PLIM_SHOW_ROWS") != nullptr)
      std::printf("%s seq %s checkpointing %s: %.3f of the memory, ran %s\n", row["model"].c_str(),
                  row["sequence"].c_str(), row["checkpointing"].c_str(), share, row["ran"].c_str());
    ++rows;
    right += row["ran"] == "1" ? share < 1.03 : share > 0.97;
  }
  EXPECT_EQ(rows, 7);
  // 13 billion parameters with checkpoints and 1,024 tokens ran out of memory, and with smaller scales did not: we say
  // two thirds of the memory for both, and nothing in the list tells what took the rest.
  EXPECT_GE(right, 6);
}

}  // namespace
}  // namespace plimsoll
