#include "base/rows/choices.h"

#include <algorithm>

#include "base/loose_name.h"

namespace plimsoll {
namespace {

struct OtherWord {
  std::string_view word, name;  // as loose_name() leaves it, and as we call it
};

constexpr OtherWord kOtherWords[] = {
    {"torch", "pytorch"},      {"pt", "pytorch"},           {"tf", "tensorflow"},
    {"keras", "tensorflow"},   {"transformers", "hf"},      {"huggingface", "hf"},
    {"llamacpp", "llama.cpp"}, {"training", "train"},       {"infer", "inference"},
    {"eval", "inference"},     {"evaluation", "inference"}, {"test", "inference"},
    {"serve", "generate"},     {"generation", "generate"},  {"channelslast", "nhwc"},
    {"channelsfirst", "nchw"}, {"flashattention", "flash"}, {"flashattention2", "flash"},
    {"flashattn", "flash"},    {"math", "eager"},           {"cost", "money"},
    {"price", "money"},        {"speed", "time"},           {"deepspeed", "zero3"},
};

}  // namespace

int place_of_choice(const std::string& word, const std::vector<std::string>& names) {
  const std::string asked = loose_name(word);
  const auto place = [&](const auto& is_it) {
    const auto found = std::find_if(names.begin(), names.end(), is_it);
    return found == names.end() ? -1 : int(found - names.begin());
  };
  if (asked.empty()) return -1;
  const int spelled = place([&](const std::string& name) { return loose_name(name) == asked; });
  if (spelled >= 0) return spelled;
  const auto* other =
      std::find_if(std::begin(kOtherWords), std::end(kOtherWords), [&](const auto& one) { return one.word == asked; });
  return other == std::end(kOtherWords) ? -1 : place([&](const std::string& name) { return name == other->name; });
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  std::string text;
  for (size_t i = 0; i + 1 < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + " or " + names.back();
}

}  // namespace plimsoll
