// The ONNX door under arbitrary bytes: import, and bind what was accepted. Built with libFuzzer (the
// fuzz preset) and with seeded_main.cpp, which is part of the tests.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "model/ir/bind.h"
#include "model/onnx/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  ImportLimits limits;
  limits.nodes = 5000;
  auto graph = import_onnx_bytes({reinterpret_cast<const char*>(data), size}, limits);
  if (!graph.ok()) {
    PLIM_CHECK(graph.error().line().find('\n') == std::string::npos, "a message of more than one line");
    return 0;
  }
  PLIM_CHECK(validate(*graph).ok(), "import gave a graph that does not hold together");
  BindOptions options;
  options.batch = 1;
  for (const ValueId id : graph->inputs)
    for (const Dim& dim : *graph->value(id).shape)
      if (dim.is_symbolic()) options.dims.emplace(dim.symbol, 1);
  const auto program = bind(*graph, options);
  if (!program.ok())
    PLIM_CHECK(program.error().line().find('\n') == std::string::npos, "a message of more than one line");
  return 0;
}
