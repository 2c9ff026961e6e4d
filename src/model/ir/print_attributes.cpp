#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "model/ir/attributes.h"

namespace plimsoll {
namespace {

constexpr size_t kLongestText = 80;  // names and texts may come from a file

struct Text {
  std::string operator()(int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const { return printable(text, kLongestText); }
  std::string operator()(const std::vector<int64_t>& list) const { return fmt::format("[{}]", fmt::join(list, " ")); }
  std::string operator()(const std::vector<double>& list) const { return fmt::format("[{}]", fmt::join(list, " ")); }
  std::string operator()(const std::vector<std::string>& list) const { return fmt::format("{} texts", list.size()); }
  std::string operator()(const TensorPtr& tensor) const { return tensor ? tensor->type.shape.text() : "-"; }
  std::string operator()(const std::shared_ptr<const Graph>&) const { return "graph"; }
};

}  // namespace

std::string print(const Attributes& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", printable(name, kLongestText), std::visit(Text{}, value));
  return text;
}

}  // namespace plimsoll
