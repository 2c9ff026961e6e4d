// The door of config.json under arbitrary bytes: what is accepted is a graph that can be bound, or says why not.
#include <cstddef>
#include <cstdint>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "one_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const auto graph = import_config_text({reinterpret_cast<const char*>(data), size}, {.sequence = 8});
  if (accepted(graph)) accepted(bind(*graph, {}));
  return 0;
}
