// StoredValues: what a Program keeps from step to step (parameters, buffers, optimizer state), by name.
#pragma once

#include <map>
#include <string_view>

#include "model/ir/program.h"

namespace plimsoll {

class StoredValues {
 public:
  // Borrows the program's names.
  explicit StoredValues(const Program& program) {
    for (size_t i = 0; i < program.values.size(); ++i)
      if (is_stored(program.values[i].role)) ids_.emplace(program.values[i].name, ValueId{int32_t(i)});
  }

  static bool is_stored(Role role) { return role == Role::parameter || role == Role::buffer || role == Role::state; }

  // The same stored value of another Program; absent when there is none.
  ValueId find(const ProgramValue& value) const { return is_stored(value.role) ? find(value.name) : ValueId{}; }
  ValueId find(std::string_view name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? ValueId{} : found->second;
  }

 private:
  std::map<std::string_view, ValueId> ids_;
};

}  // namespace plimsoll
