#include "run/dist/agreement.h"

#include <fmt/format.h>
#include <zlib.h>

#include <fstream>

#include "base/rows/json.h"
#include "base/text.h"
#include "run/data/source_file.h"

namespace plimsoll {
namespace {

std::string value_text(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  if (found == object.end()) return "not given";
  return printable(found->is_string() ? found->get<std::string>() : found->dump(), 80);
}

// The first name whose value differs; empty: none does.
std::string first_difference(const Json& one, const Json& other) {
  for (const auto* object : {&one, &other})
    for (const auto& [name, value] : object->items())
      if (value_text(one, name) != value_text(other, name)) return name;
  return "";
}

}  // namespace

Status agree(Communicator& communicator, const Json& mine) {
  const auto hosts = communicator.gather(communicator.host());
  const auto all = communicator.gather(mine.dump(-1, ' ', false, Json::error_handler_t::replace));
  const Json first = Json::parse(all[0]);
  for (size_t i = 1; i < all.size(); ++i) {
    const Json other = Json::parse(all[i]);
    const std::string name = first_difference(first, other);
    if (name.empty()) continue;
    return user_error(fmt::format("the workers do not agree: {} is {} on rank {} ({}), but {} on rank 0 ({})", name,
                                  value_text(other, name), i, hosts[i], value_text(first, name), hosts[0]),
                      "start all of them with the same program, flags and data");
  }
  return {};
}

std::string plan_identity(const Lowered& step, const MemoryPlan& plan) {
  uint64_t hash = 0;
  for (const auto& operation : step.program.operations) {
    hash = joined(hash, operation.label());
    hash = joined(hash, operation.name);
    for (const auto* list : {&operation.inputs, &operation.outputs})
      for (const ValueId id : *list) hash = joined(hash, std::to_string(id.index));
    hash = joined(hash, operation.then ? std::string_view(operation.then->name) : std::string_view());
  }
  for (const auto& value : step.program.values)
    hash = joined(hash, value.type ? value.type->shape.text() + std::string(name_of(value.type->dtype)) : "?");
  for (size_t i = 0; i < plan.storage_of.size(); ++i)
    if (plan.storage_of[i] >= 0)
      hash = joined(hash, std::to_string(plan.storages[size_t(plan.storage_of[i])].size.value()));
  for (const auto& [operation, method] : step.methods)
    hash = joined(hash, fmt::format("{} {}", operation, int(method)));
  return fmt::format("{:016x}", hash);
}

std::string build_identity() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<char> buffer(1 << 20);
  uLong sum = crc32(0, nullptr, 0);
  while (file.read(buffer.data(), std::streamsize(buffer.size())) || file.gcount() > 0)
    sum = crc32(sum, reinterpret_cast<const Bytef*>(buffer.data()), uInt(file.gcount()));
  return fmt::format("{:08x}", sum);
}

}  // namespace plimsoll
