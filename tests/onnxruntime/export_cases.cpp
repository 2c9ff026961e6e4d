// export_cases FOLDER: exports networks of the zoo with fresh weights, and beside each its input and the outputs that
// our reference maths gives: NAME.onnx, NAME.input, NAME.output (f32 or i64, row-major). tools/onnxruntime_check.py
// compares them with onnxruntime's.
#include <fmt/format.h>

#include <fstream>

#include "model/ir/bind.h"
#include "model/zoo/all_models.h"
#include "run/train/initial_weights.h"
#include "tests/exported.h"

namespace plimsoll {
namespace {

struct Case {
  std::string_view model;
  Shape input;  // empty: the network's own
};

const Case kCases[] = {{"lenet5", {}},
                       {"fmnist_cnn", {}},
                       {"textcnn", {}},
                       {"squeezenet1_1", {3, 64, 64}},
                       {"mobilenet_v2", {3, 32, 32}},
                       {"mobilenet_v3_small", {3, 32, 32}},
                       {"efficientnet_b0", {3, 32, 32}},
                       {"shufflenet_v2_x0_5", {3, 32, 32}},
                       {"resnet18", {3, 32, 32}},
                       {"googlenet_bn", {3, 64, 64}},
                       {"densenet121", {3, 32, 32}},
                       {"convnext_tiny", {3, 32, 32}},
                       {"alexnet", {3, 95, 95}}};  // pools 2x2 to 6x6: bins that overlap

void write(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

Status export_case(const Case& now, const std::string& folder) {
  ZooOptions options;
  if (now.input.rank() > 0) options.input = now.input;
  PLIM_ASSIGN(const Graph graph, build_model(now.model, options));
  PLIM_ASSIGN(const Program program, bind(graph, {}));
  const InitialWeights weights(program, 1);
  const std::string path = fmt::format("{}/{}", folder, now.model);
  PLIM_TRY(export_onnx(graph, weights, path + ".onnx"));
  const Tensor sample = sample_for(graph, 2);
  PLIM_ASSIGN(const auto outputs, evaluate_graph(with_contents(graph, weights), {std::make_shared<Tensor>(sample)}));
  write(path + ".input", sample.bytes);
  write(path + ".output", outputs[0].bytes);
  return {};
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& now : plimsoll::kCases) {
    const auto status = plimsoll::export_case(now, argv[1]);
    if (status.ok()) continue;
    fmt::print(stderr, "{}: {}\n", now.model, status.error().line());
    return 1;
  }
  return 0;
}
