// Text from files is hostile until shown otherwise: these make it safe to print, and
// find the name the user probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// The text on one line: control characters, bad UTF-8 and direction overrides are written
// as \xNN or \u{NNNN}, and anything past `longest` bytes is cut with an ellipsis.
std::string printable(std::string_view text, size_t longest = 2000);

// 'name', printable and at most 80 bytes long: for names inside messages.
std::string in_quotes(std::string_view name);

bool is_utf8(std::string_view text);

// The up to three candidates nearest to `wanted` by edit distance, nearest first, none
// if nothing is near.
std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string> candidates);

// "did you mean 'resnet50' or 'resnet18'?", or "" when nothing is near.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates);

}  // namespace plimsoll
