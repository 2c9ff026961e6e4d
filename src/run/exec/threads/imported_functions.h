// Gives one shared library other functions than those it was linked to, and leaves all other libraries alone. Defining
// them in our program instead would catch every library that asks for the same names, also one that is loaded later.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace plimsoll {

struct Replacement {
  std::string_view name;
  void* function = nullptr;
};

// In the loaded library whose path contains `library`. All or nothing: false, and nothing is changed, where the library
// is not loaded, does not import each of these, or imports another one for which `related` holds. Nobody may be calling
// them meanwhile.
bool replace_imports(std::string_view library, std::span<const Replacement> replacements,
                     const std::function<bool(std::string_view)>& related);

}  // namespace plimsoll
