// Fields that sentences name by marks, written out as the reader calls them: flags on the command line, names in JSON
// and Python.
#pragma once

#include <string>
#include <string_view>

#include "base/field_mark.h"
#include "base/result.h"
#include "base/rows/json.h"

namespace plimsoll {

enum class Door {
  command_line,  // --global-batch
  json,          // global_batch
};

// The sentence with its marks written out.
std::string spoken(std::string_view sentence, Door door);
Error spoken_error(Error error, Door door);
Json spoken_document(Json document, Door door);  // every text of it

}  // namespace plimsoll
