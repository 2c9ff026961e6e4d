// What the page may ask: the verbs of planning, with the fields whose rows say so, and a few questions of its own. No
// request takes a path: a network is known by name or was uploaded, a device is one of the catalog or 'this'.
#pragma once

#include <string_view>
#include <vector>

#include "base/rows/json.h"
#include "tell/page/network_shelf.h"

namespace plimsoll {

std::vector<std::string_view> all_page_verbs();

// {"verb": "fit", "request": {"model": "resnet50", "device": "nvidia-t4", "batch": 64}}
Result<Json> answer_page(const Json& asked, NetworkShelf& shelf);

}  // namespace plimsoll
