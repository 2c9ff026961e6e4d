#include "plan/llm/token_accuracy.h"

namespace plimsoll {

const TokenAccuracy& adapter_memory_accuracy() {
  static constexpr TokenAccuracy kRow{"LoRA, QLoRA and DoRA on one GPU", "litgpt, PEFT", 50, 0.035, 0.093};
  return kRow;
}

const TokenAccuracy& full_memory_accuracy() {
  static constexpr TokenAccuracy kRow{"full fine-tuning", "PEFT, ms-swift", 10, 0.015, 0.411};
  return kRow;
}

const TokenAccuracy& training_speed_accuracy() {
  static constexpr TokenAccuracy kRow{"training with FSDP on 8 to 128 A100s", "llm-foundry", 139, 0.038, 0.392};
  return kRow;
}

}  // namespace plimsoll
