#include "plan/memory/size_rules.h"

#include "plan/memory/pack.h"

namespace plimsoll {
namespace {

class PlainSizeRules : public SizeRules {
 public:
  Bytes storage(const Program& program, ValueId value) const override { return program.value(value).type->bytes(); }
  Bytes workspace(const Program&, size_t) const override { return Bytes(0); }
  Bytes fixed(const Program&) const override { return Bytes(0); }
};

}  // namespace

int64_t SizeRules::line() const { return kAlignment; }

const SizeRules& plain_size_rules() {
  static const PlainSizeRules rules;
  return rules;
}

Bytes rounded_up(Bytes bytes, int64_t multiple) {
  const int64_t over = bytes.value() % multiple;
  return over == 0 ? bytes : bytes + Bytes(multiple - over);
}

}  // namespace plimsoll
