// What export answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "model/onnx/export_nodes.h"
#include "run/train/export_request.h"

namespace plimsoll {

inline constexpr std::string_view kExportSchema = "plimsoll.export/1";

inline std::string_view schema_name(const ExportOutcome*) { return "Export"; }

template <class V>
void describe(V& row, const ExportOutcome* o) {
  row("model", "the network, as it was named", [=] { return o->model; });
  row("file", "that was written", [=] { return o->file; });
  row("bytes", "of the file", [=] { return o->exported.bytes; });
  row("tensors", "that are stored", [=] { return o->exported.tensors; });
  row("weights", "where they are from: checkpoint, file, fresh, or none", [=] { return o->weights; });
  row("opset", "of ONNX", [=] { return kExportOpset; });
  row("data_file", "the weights, where they are in a file of their own",
      [=] { return o->has_data_file() ? std::optional(o->data_file()) : std::nullopt; });
  row("data_bytes", "of that file",
      [=] { return o->has_data_file() ? std::optional(o->exported.weight_bytes) : std::nullopt; });
}

}  // namespace plimsoll
