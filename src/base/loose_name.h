// Names as people type them: "ResNet-50" is "resnet50", "AdamW" is "adamw".
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

std::string lower_case(std::string_view text);

// Lower-case letters, digits and dots; all else is left out.
std::string loose_name(std::string_view name);

}  // namespace plimsoll
