#include "plan/memory/lowering.h"

namespace plimsoll {
namespace {

class PlainLowered : public Lowered {
 public:
  using Lowered::Lowered;
  const SizeRules& rules() const override { return plain_size_rules(); }
};

class PortableLowering : public Lowering {
 public:
  Result<std::unique_ptr<Lowered>> lower(Program step) const override {
    return std::unique_ptr<Lowered>(std::make_unique<PlainLowered>(std::move(step)));
  }
  std::string name() const override { return "portable"; }
};

}  // namespace

std::map<ConvMethod, int64_t> Lowered::conv_methods() const {
  std::map<ConvMethod, int64_t> counts;
  for (const auto& [operation, method] : methods) ++counts[method];
  return counts;
}

const Lowering& portable_lowering() {
  static const PortableLowering lowering;
  return lowering;
}

}  // namespace plimsoll
