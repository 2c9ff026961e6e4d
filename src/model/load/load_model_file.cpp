#include "model/load/load_model_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>

#include "model/gguf/import_gguf.h"
#include "model/hf/import_config.h"

namespace plimsoll {
namespace {

constexpr std::string_view kTorch[] = {".pt", ".pth", ".ckpt", ".bin"};
constexpr std::string_view kKeras[] = {".h5", ".keras", ".tflite", ".pb"};
constexpr std::string_view kWeights = ".safetensors";

bool ends_with_one_of(const std::string& path, std::span<const std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return path.ends_with(ending); });
}

// What to do with a file that is no network, by its name.
std::string way_from(const std::string& path) {
  if (ends_with_one_of(path, kTorch))
    return "export the module with torch.onnx.export(model, example, 'model.onnx', dynamo=True), or ask from Python: "
           "plimsoll.fit(model, example)";
  if (ends_with_one_of(path, kKeras))
    return "export it: model.export('model.onnx', format='onnx') in Keras, or tf2onnx";
  return "";
}

Error weights_alone(const std::string& path) {
  std::error_code none;
  const auto config = std::filesystem::path(path).parent_path() / "config.json";
  return user_error("holds weights without a network", std::filesystem::exists(config, none)
                                                           ? "give the config.json beside it: " + config.string()
                                                           : "give the config.json that belongs to it, or export the "
                                                             "network to ONNX");
}

}  // namespace

namespace {

// A file that has no name of its own, as one that another process handed over, by how it begins.
ModelFile kind_by_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[4] = {};
  file.read(head, sizeof head);
  if (std::string_view(head, sizeof head) == "GGUF") return ModelFile::gguf;
  const std::string_view read(head, size_t(file.gcount()));
  const size_t first = read.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && read[first] == '{' ? ModelFile::config : ModelFile::onnx;
}

}  // namespace

bool has_ending_of_a_model(const std::string& path) {
  return path.ends_with(".onnx") || path.ends_with(".json") || path.ends_with(".gguf") || path.ends_with(kWeights) ||
         ends_with_one_of(path, kTorch) || ends_with_one_of(path, kKeras);
}

ModelFile kind_of_model_file(const std::string& path) {
  std::error_code none;
  if (path.ends_with(".gguf")) return ModelFile::gguf;
  if (path.ends_with(".json") || std::filesystem::exists(path + "/config.json", none)) return ModelFile::config;
  return path.starts_with("/proc/self/fd/") ? kind_by_content(path) : ModelFile::onnx;
}

Result<Graph> load_model_file(const std::string& path, const LoadOptions& options) {
  const ConfigOptions config{options.sequence, {}, options.vocabulary};
  switch (kind_of_model_file(path)) {
    case ModelFile::config: return import_config(path, config);
    case ModelFile::gguf: return import_gguf(path, config);
    case ModelFile::onnx: break;
  }
  if (options.sequence) return user_error("a number of tokens was asked for, and an .onnx file has its own sizes");
  if (path.ends_with(kWeights)) return weights_alone(path);
  auto graph = import_onnx(path, options.limits);
  if (graph.ok() || graph.error().kind != ErrorKind::user) return graph;
  Error error = std::move(graph).error();
  if (std::string way = way_from(path); !way.empty()) error.hint = std::move(way);
  return error;
}

}  // namespace plimsoll
