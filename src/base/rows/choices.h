// Choices<E>: the names of an enum, for requests and replies. Specialise it beside the enum:
//   template <> struct Choices<RankBy> {
//     static constexpr std::pair<RankBy, std::string_view> kAll[] = {{RankBy::time, "time"}, {RankBy::money, "money"}};
//   };
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace plimsoll {

template <class E>
struct Choices;

template <class E>
concept Choice = requires {
  Choices<E>::kAll;
};

template <Choice E>
std::string_view choice_name(E value) {
  for (const auto& [choice, name] : Choices<E>::kAll)
    if (choice == value) return name;
  return "";
}

template <Choice E>
std::vector<std::string> choice_names() {
  std::vector<std::string> names;
  for (const auto& [choice, name] : Choices<E>::kAll) names.emplace_back(name);
  return names;
}

// "time, money or knee"
std::string listed(const std::vector<std::string>& names);

// Which of the names a word stands for: as it is written, in other letters ("GPU", "PyTorch"), or as other programs
// call it ("torch", "training"). -1: none.
int place_of_choice(const std::string& word, const std::vector<std::string>& names);

template <Choice E>
Result<E> choice_named(const std::string& called, const std::string& text) {
  for (const auto& [choice, name] : Choices<E>::kAll)
    if (name == text) return choice;
  const int place = place_of_choice(text, choice_names<E>());
  if (place >= 0) return Choices<E>::kAll[place].first;
  return user_error(fmt::format("{} is {}, expected {}", called, in_quotes(text), listed(choice_names<E>())));
}

}  // namespace plimsoll
