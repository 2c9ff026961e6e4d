// ml_zip_map: scores with the names of their classes: maps in the standard, the scores themselves here.
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_ml_zip_map() { return {{"rows", {}, {example::f32({3, 4})}, 1, true, false}}; }

}  // namespace

const Op& ml_zip_map_op() {
  static const Op op = ml_op("ml_zip_map", {"ai.onnx.ml:ZipMap"}, same_type, nullptr, examples_ml_zip_map);
  return op;
}

}  // namespace plimsoll
