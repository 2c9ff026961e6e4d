#include "model/ir/print_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr size_t kLongest = 80;  // of a name, which may come from a file

std::string_view name_of(Role role) {
  constexpr std::array<std::string_view, 7> kNames = {"input",      "parameter", "buffer", "constant",
                                                      "activation", "gradient",  "state"};
  return kNames.at(size_t(role));
}

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, 4> kNames = {"forward", "loss", "backward", "update"};
  return kNames.at(size_t(phase));
}

std::string text_of(const std::vector<ValueId>& ids) {
  std::string text;
  for (const ValueId id : ids)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", id.present() ? fmt::format("%{}", id.index) : "-");
  return text;
}

std::string type_of(const ProgramValue& value) {
  return value.type ? fmt::format("{} {}", plimsoll::name_of(value.type->dtype), value.type->shape.text()) : "unknown";
}

// "%7 = conv+relu(%0, %1) {strides=[2 2]} : f32 1x64x112x112 in %3  # conv1"
std::string line_of(const Program& program, const Operation& operation) {
  std::string types;
  for (const ValueId id : operation.outputs) {
    if (!id.present()) continue;
    const ProgramValue& value = program.value(id);
    types += fmt::format("{}{}", types.empty() ? "" : ", ", type_of(value));
    if (value.storage.present()) types += fmt::format(" in %{}", value.storage.index);
  }
  const std::string settings = print(operation.attributes);
  const std::string repeat = operation.repeat == Count(1) ? "" : fmt::format(" × {}", operation.repeat.value());
  return fmt::format("  {:9}  {} = {}({}){}{} : {}  # {}\n", name_of(operation.phase), text_of(operation.outputs),
                     printable(operation.label(), kLongest), text_of(operation.inputs),
                     settings.empty() ? settings : " {" + settings + "}", repeat, types,
                     printable(operation.name, kLongest));
}

}  // namespace

std::string print(const Program& program) {
  std::string text = fmt::format("program {}, batch {}", printable(program.name, kLongest), program.batch);
  if (program.micro_batches > 1) text += fmt::format(" in each of {} micro-batches", program.micro_batches);
  text += "\n";
  std::vector<bool> used(program.values.size(), false), written(program.values.size(), false);
  for (const auto& operation : program.operations) {
    for (const ValueId id : operation.inputs)
      if (id.present()) used[size_t(id.index)] = true;
    for (const ValueId id : operation.outputs)
      if (id.present()) written[size_t(id.index)] = true;
  }
  for (size_t i = 0; i < program.values.size(); ++i)
    if (used[i] && !written[i])
      text += fmt::format("  {:9}  %{} : {}  # {}\n", name_of(program.values[i].role), i, type_of(program.values[i]),
                          printable(program.values[i].name, kLongest));
  for (const auto& operation : program.operations) text += line_of(program, operation);
  text += fmt::format("  outputs    {}\n", text_of(program.outputs));
  if (program.loss.present()) text += fmt::format("  loss       %{}\n", program.loss.index);
  return text;
}

}  // namespace plimsoll
