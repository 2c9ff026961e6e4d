#include "model/load/load_model_file.h"

#include <filesystem>

#include "model/gguf/import_gguf.h"
#include "model/hf/import_config.h"

namespace plimsoll {

ModelFile kind_of_model_file(const std::string& path) {
  std::error_code none;
  if (path.ends_with(".gguf")) return ModelFile::gguf;
  if (path.ends_with(".json") || std::filesystem::exists(path + "/config.json", none)) return ModelFile::config;
  return ModelFile::onnx;
}

Result<Graph> load_model_file(const std::string& path, const LoadOptions& options) {
  const ConfigOptions config{options.sequence, {}};
  switch (kind_of_model_file(path)) {
    case ModelFile::config: return import_config(path, config);
    case ModelFile::gguf: return import_gguf(path, config);
    case ModelFile::onnx: break;
  }
  if (options.sequence) return user_error("a number of tokens was asked for, and an .onnx file has its own sizes");
  return import_onnx(path, options.limits);
}

}  // namespace plimsoll
