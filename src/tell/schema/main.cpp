// write_schemas FOLDER TYPES: writes every schema into the folder, and the page's types into the file.
#include <fmt/format.h>

#include "base/write_file.h"
#include "tell/schema/typescript.h"

int main(int argc, char** argv) {
  using namespace plimsoll;
  if (argc != 3) {
    fmt::print(stderr, "write_schemas FOLDER TYPES.ts\n");
    return 2;
  }
  const auto schemas = all_schemas();
  for (const auto& [name, schema] : schemas)
    if (const Status written = write_whole_file(fmt::format("{}/{}.json", argv[1], name), json_text(schema));
        !written.ok()) {
      fmt::print(stderr, "write_schemas: {}\n", written.error().line());
      return 4;
    }
  const Status written = write_whole_file(argv[2], typescript(schemas));
  if (!written.ok()) fmt::print(stderr, "write_schemas: {}\n", written.error().line());
  return written.ok() ? 0 : 4;
}
