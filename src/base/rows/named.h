// How a sentence names a field of the request without knowing who reads it: the command line has flags, JSON and Python
// have names. Write named("global_batch"); whoever shows the sentence says how fields are called there.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/rows/json.h"

namespace plimsoll {

// A mark in a sentence that stands for the field.
std::string named(std::string_view field);

enum class Door {
  command_line,  // --global-batch
  json,          // global_batch
};

// The sentence with its marks written out.
std::string spoken(std::string_view sentence, Door door);
Error spoken_error(Error error, Door door);
Json spoken_document(Json document, Door door);  // every text of it

}  // namespace plimsoll
