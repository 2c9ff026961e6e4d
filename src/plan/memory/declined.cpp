#include "plan/memory/declined.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr size_t kLongestName = 80;

std::string spoken(std::string_view implementation) {
  std::string words(implementation);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace

std::vector<DeclinedGroup> grouped(const Program& program, std::span<const Declined> declined) {
  std::vector<DeclinedGroup> groups;
  for (const Declined& one : declined) {
    const Operation& operation = program.operations.at(one.operation);
    const std::string& op = operation.op_name;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const DeclinedGroup& known) {
      return known.op == op && known.implementation == one.implementation && known.reason == one.reason &&
             known.taken_by == one.taken_by;
    });
    if (group == groups.end())
      group = groups.insert(
          groups.end(), {op, one.implementation, one.reason, one.taken_by, 0, printable(operation.name, kLongestName)});
    ++group->operations;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const DeclinedGroup& a, const DeclinedGroup& b) {
    const bool first = a.taken_by == kByReference, second = b.taken_by == kByReference;
    return first != second ? first : a.operations > b.operations;
  });
  return groups;
}

std::string line_of(const DeclinedGroup& group) {
  const std::string who =
      group.implementation.empty() ? std::string() : fmt::format("not by {}, ", spoken(group.implementation));
  return fmt::format("{} {} (first: {}): {}{}; taken by {}", group.operations, group.op, group.example, who,
                     group.reason, spoken(group.taken_by));
}

}  // namespace plimsoll
