// Schemas as TypeScript: the types that the page reads and writes.
#pragma once

#include "tell/schema/all_schemas.h"

namespace plimsoll {

// One exported interface for each described type and for each verb's request.
std::string typescript(const std::vector<SchemaFile>& schemas);

}  // namespace plimsoll
