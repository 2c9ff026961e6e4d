// The verbs that the page may ask, with the flags that it may set: all that a page can name is in this table. None
// takes a path: a network is one of the zoo or the one that was uploaded, a device is one of the catalog or 'this'.
#pragma once

#include <span>
#include <string_view>

#include "tell/cli/network_shelf.h"
#include "tell/report/json.h"

namespace plimsoll {

struct PageQuestion {
  std::string_view verb;
  std::vector<std::string_view> flags;  // as on the command line, without the dashes
  Result<Json> (*answer)(const std::vector<std::string>& words, NetworkShelf& shelf);
};

std::span<const PageQuestion> all_page_questions();

// {"verb": "fit", "flags": {"model": "resnet50", "device": "nvidia-t4", "batch": "64"}}
Result<Json> answer_page(const Json& asked, NetworkShelf& shelf);

}  // namespace plimsoll
