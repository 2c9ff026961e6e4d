// Flags that people bring from elsewhere, as the verb calls them: --batch-size 4 becomes --batch 4, --amp --dtype amp.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace plimsoll {

// Words of a flag that the verb has are left alone, and so are those of which nobody knows what is meant.
std::vector<std::string> as_meant(const std::vector<std::string>& words, const CLI::App& verb);

// "did you mean --dtype amp?", or the nearest of the flags that are known; "" when nothing is near.
std::string meant_by_flag(const std::string& flag, const std::vector<std::string>& known);

}  // namespace plimsoll
