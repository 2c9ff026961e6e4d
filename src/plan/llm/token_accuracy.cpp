#include "plan/llm/token_accuracy.h"

namespace plimsoll {

const TokenAccuracy& adapter_memory_accuracy() {
  static constexpr TokenAccuracy kRow{"LoRA, QLoRA and DoRA on one GPU", "litgpt, PEFT", 53, 0.025, 0.2};
  return kRow;
}

const TokenAccuracy& full_memory_accuracy() {
  static constexpr TokenAccuracy kRow{"full fine-tuning", "PEFT, ms-swift", 3, 0.05, 0.1};
  return kRow;
}

}  // namespace plimsoll
