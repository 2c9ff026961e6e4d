// export, asked and answered: a network, trained or fresh, written as an .onnx file for other programs.
#pragma once

#include "model/onnx/export.h"
#include "plan/ask/model_request.h"

namespace plimsoll {

struct ExportRequest {
  ModelRequest model;  // a run's folder or checkpoint too
  std::string output;
  int64_t seed = 1;
  bool no_weights = false;

  void describe(Fields& fields);
};

struct ExportOutcome {
  std::string model, file;
  Exported exported;
  std::string weights;  // "checkpoint", "file", "fresh" or "none"

  bool has_data_file() const { return exported.weight_bytes > 0; }
  std::string data_file() const { return file + ".data"; }
};

Result<ExportOutcome> ask_export(const ExportRequest& request);

}  // namespace plimsoll
