// The schemas of all that is said as JSON (JSON Schema 2020-12): the request and the answer of every verb, and the
// page's own documents. Made from the rows; `make schema` writes them to schema/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/rows/json.h"

namespace plimsoll {

struct SchemaFile {
  std::string name;  // "fit", "fit.request"
  Json schema;
};

std::vector<SchemaFile> all_schemas();

}  // namespace plimsoll
