// The colours of pictures, one a meaning: parts of the memory, kinds of work, runs. They are the page's
// (web/src/style/base.css; a test holds them to it), in light and in dark.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

struct Tint {
  std::string_view name;  // of a class: "part-activations"
  std::string_view light, dark;
};

std::span<const Tint> all_tints();

// The class of a kind of work as operations have it: "grad data" → "kind-grad-data".
std::string kind_class(std::string_view kind);
// Of a part of the memory: "communication" → "part-exchange".
std::string part_class(std::string_view part);

// What a kind of work, and a part of the memory, is called.
std::string_view kind_title(std::string_view kind);
std::string_view part_title(std::string_view part);

// The style sheet of all classes, for light and dark.
const std::string& tint_style();

}  // namespace plimsoll
