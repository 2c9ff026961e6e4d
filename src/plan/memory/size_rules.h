// SizeRules: how many bytes a value really takes, and what an operation and the process take besides. Our engine,
// and every framework that we answer for, is one set of rules; lifetimes and packing are the same for all.
//
// Rules are pure and may be asked from any thread. What they answer is taken in multiples of line().
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

class SizeRules {
 public:
  virtual ~SizeRules() = default;

  // The memory of a value with a type, padding and rounding included. Asked once for each value; one that lives in
  // another's memory only makes that at least as large as itself.
  virtual Bytes storage(const Program& program, ValueId value) const = 0;

  // Scratch memory that is taken during this operation, one of program.operations, only.
  virtual Bytes workspace(const Program& program, size_t operation) const = 0;

  // Taken before the first tensor and for the whole step, outside any plan: a context, libraries.
  virtual Bytes fixed(const Program& program) const = 0;

  // Where storages and workspaces may begin, in bytes: a multiple of kAlignment.
  virtual int64_t line() const;
};

// The portable rules of our own engine: plain layouts in multiples of kAlignment (pack.h), nothing else.
const SizeRules& plain_size_rules();

// The next multiple: rounded_up(Bytes(100), 64) is 128. Stays at the maximum beyond the range.
Bytes rounded_up(Bytes bytes, int64_t multiple);

}  // namespace plimsoll
