#include "plan/weight/lower_bound_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr size_t kLongestName = 80, kLongestList = 600;  // letters: names come from files

std::string counted(int64_t count, const char* one, const char* several) {
  return count == 1 ? std::string("1 operation ") + one : with_commas(count) + " operations " + several;
}

std::string unknown_part(const Uncounted& uncounted) {
  const int64_t all = uncounted.unknown();
  const size_t kinds = uncounted.unknown_ops.size();
  std::string text = all == 1     ? std::string("1 operation is")
                     : kinds == 1 ? with_commas(all) + " operations of one kind are"
                                  : fmt::format("{} operations of {} kinds are", with_commas(all), kinds);
  text += fmt::format(" not known ({}) and {} not counted", unknown_ops_text(uncounted), all == 1 ? "is" : "are");
  if (uncounted.unsized == 0) return text;
  const std::string after = uncounted.unsized == 1
                                ? "is 1 operation whose size depends"
                                : fmt::format("are {} operations whose sizes depend", with_commas(uncounted.unsized));
  return fmt::format("{}, nor {} on {}", text, after, all == 1 ? "it" : "them");
}

}  // namespace

std::string unknown_ops_text(const Uncounted& uncounted) {
  std::string list;
  for (const auto& [name, count] : uncounted.unknown_ops)
    list += fmt::format("{}{} ×{}", list.empty() ? "" : ", ", printable(name, kLongestName), count);
  return printable(list, kLongestList);
}

std::string lower_bound_text(const Uncounted& uncounted) {
  std::vector<std::string> parts;
  if (!uncounted.unknown_ops.empty()) parts.push_back(unknown_part(uncounted));
  else if (uncounted.unsized > 0)
    parts.push_back(counted(uncounted.unsized, "depends on shapes that are not known and is not counted",
                            "depend on shapes that are not known and are not counted"));
  if (uncounted.unbounded > 0)
    parts.push_back(counted(uncounted.unbounded, "is in a loop without a known end, of which one round is counted",
                            "are in loops without a known end, of which one round is counted"));
  return parts.empty() ? "" : fmt::format("Lower bound: {}.", fmt::join(parts, "; "));
}

}  // namespace plimsoll
