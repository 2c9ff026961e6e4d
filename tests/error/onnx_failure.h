// What importing and binding a bad .onnx file says, for the tests of such files.
#pragma once

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "tests/onnx_model.h"

namespace plimsoll {

// Import and, where that succeeds, bind: the message of whichever fails, "" when neither does.
inline std::string failure(const OnnxModel& model) {
  const auto graph = model.import();
  if (!graph.ok()) return graph.error().line();
  const auto program = bind(*graph, {});
  return program.ok() ? "" : program.error().line();
}

inline std::string failure_of_bytes(std::string_view bytes) {
  const auto graph = import_onnx_bytes(bytes);
  return graph.ok() ? "" : graph.error().line();
}

inline std::string failure_of_file(const std::string& path) {
  const auto graph = import_onnx(path, {});
  return graph.ok() ? "" : graph.error().line();
}

inline std::string notes_of(const Graph& graph) {
  std::string all;
  for (const auto& note : graph.notes) all += note + "\n";
  return all;
}

#define PLIM_EXPECT_SAYS(text, part)                                                                              \
  EXPECT_PRED2([](const std::string& t, const std::string& p) { return t.find(p) != std::string::npos; }, (text), \
               (part))

inline void expect_one_line(const std::string& text) {
  EXPECT_FALSE(text.empty()) << "was accepted";
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace plimsoll
