// Zoo networks as Programs, and what tests add up over them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "model/ir/bind.h"
#include "model/zoo/all_models.h"

namespace plimsoll {

inline Program zoo_program(const std::string& name, const ZooOptions& options = {}, int64_t batch = 1) {
  const auto graph = build_model(name, options);
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  if (!graph.ok()) return {};
  auto program = bind(*graph, {.batch = batch});
  EXPECT_TRUE(program.ok()) << program.error().line();
  return program.ok() ? *program : Program{};
}

inline int64_t stored(const Program& program, Role role) {
  Count sum;
  for (const auto& value : program.values)
    if (value.role == role) sum += value.type->elements();
  return sum.value();
}
inline int64_t parameters(const Program& program) { return stored(program, Role::parameter); }

// Layers whose name is `prefix` or starts with "prefix.".
inline bool in_group(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) && (name.size() == prefix.size() || name[prefix.size()] == '.');
}

inline int64_t macs(const Program& program, const std::string& group = "") {
  Macs sum;
  for (const auto& operation : program.operations)
    if (group.empty() || in_group(operation.name, group)) sum += operation.cost.macs * operation.repeat;
  return sum.value();
}

inline int64_t parameters(const Program& program, const std::string& group) {
  std::set<ValueId> seen;
  Count sum;
  for (const auto& operation : program.operations)
    for (const ValueId id : operation.inputs)
      if (id.present() && program.value(id).role == Role::parameter && in_group(operation.name, group) &&
          seen.insert(id).second)
        sum += program.value(id).type->elements();
  return sum.value();
}

// The output shape of the last operation of a group.
inline Shape output_shape(const Program& program, const std::string& group) {
  Shape shape;
  for (const auto& operation : program.operations)
    if (in_group(operation.name, group)) shape = program.value(operation.outputs[0]).type->shape;
  return shape;
}

}  // namespace plimsoll
