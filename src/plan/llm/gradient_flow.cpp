#include "plan/llm/gradient_flow.h"

namespace plimsoll {

void GradientFlow::make(const TraceOperation& operation) {
  Gradient handed;
  if (operation.hands_on && !operation.from.empty()) handed = flowing_[size_t(operation.from[0])];
  for (const int32_t t : operation.into) {
    const TraceTensor& tensor = trace_.tensors[size_t(t)];
    Gradient& gradient = flowing_[size_t(t)];
    const bool first = !gradient.users;
    if (first && handed.users && tensor.bytes_of(samples_) <= ledger_.bytes_of(handed.block)) {
      ++*handed.users;
      gradient = handed;
      continue;
    }
    if (operation.hands_on && operation.from.empty() && first) continue;  // made on the way forward
    const TokenPart part = tensor.logits || operation.logits ? TokenPart::logits : TokenPart::activations;
    const int32_t made = ledger_.take(tensor.bytes_of(samples_), part, operation.name + ", gradient");
    // The sum goes into one of them, unless somebody else still reads it.
    release(gradient);
    gradient = {made, std::make_shared<int>(1)};
  }
}

void GradientFlow::release(const TraceOperation& operation) {
  for (const int32_t t : operation.from) release(flowing_[size_t(t)]);
}

void GradientFlow::end() {
  for (auto& gradient : flowing_) release(gradient);
}

void GradientFlow::release(Gradient& gradient) {
  if (!gradient.users) return;
  if (--*gradient.users == 0) ledger_.give(gradient.block);
  gradient = {};
}

}  // namespace plimsoll
