#include "tell/cli/model_flags.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/ir/bind.h"
#include "model/ir/open_sizes.h"
#include "model/load/load_model_file.h"
#include "model/zoo/all_models.h"
#include "model/zoo/language_models.h"
#include "tell/cli/numbers.h"

namespace plimsoll {
namespace {

constexpr int64_t kLongestSequence = 1 << 24;

// Names of symbolic sizes may hold anything, '=' too: the last one separates.
Status read_dim(const std::string& text, Bindings& dims) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    return user_error(fmt::format("--dim is {}, expected NAME=SIZE", plimsoll::in_quotes(text)),
                      "for example --dim sequence=128");
  PLIM_ASSIGN(const int64_t size,
              parse_integer("--dim " + text.substr(0, equals), text.substr(equals + 1), 0, kLargestBatch));
  dims[text.substr(0, equals)] = size;
  return {};
}

Result<ImportLimits> read_limits(const ModelFlags& flags) {
  if (!flags.classes.empty()) return user_error("--classes is for networks of the zoo, an .onnx file has its own");
  ImportLimits limits;
  if (!flags.max_nodes.empty()) {
    PLIM_ASSIGN(limits.nodes, parse_integer("--max-nodes", flags.max_nodes, 1, 100'000'000));
    limits.inputs = std::max(limits.inputs, limits.nodes);
  }
  return limits;
}

Result<std::optional<int64_t>> read_sequence(const ModelFlags& flags) {
  if (flags.sequence.empty()) return std::optional<int64_t>();
  PLIM_ASSIGN(const int64_t read, parse_integer("--sequence", flags.sequence, 1, kLongestSequence));
  return std::optional(read);
}

Result<Graph> build_from_zoo(const std::string& model, const ModelFlags& flags) {
  ZooOptions options;
  PLIM_ASSIGN(const auto sequence, read_sequence(flags));
  if (sequence) {
    const ZooModel* found = find_model(model);
    if (found && found->input_type != DType::i64)
      return user_error(fmt::format("--sequence is for networks of text, {} reads pictures", model));
    options.input = Shape{*sequence};
  }
  if (!flags.input.empty()) {
    PLIM_ASSIGN(options.input, parse_shape(flags.input));
  }
  if (!flags.classes.empty()) {
    PLIM_ASSIGN(options.classes, parse_integer("--classes", flags.classes, 1, kLargestBatch));
  }
  return build_model(model, options);
}

Result<Graph> load_graph(const std::string& model, const ModelFlags& flags) {
  if (!is_file_name(model)) return build_from_zoo(model, flags);
  LoadOptions options;
  PLIM_ASSIGN(options.limits, read_limits(flags));
  PLIM_ASSIGN(options.sequence, read_sequence(flags));
  auto graph = load_model_file(model, options);
  if (!graph.ok()) return std::move(graph).error().in(model);
  return graph;
}

}  // namespace

void ModelFlags::declare(CLI::App& app, const std::string& batch_help) {
  app.add_option("--batch", batch, batch_help)->type_name("N");
  app.add_option("--dtype", dtype,
                 "number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations)")
      ->type_name("FORMAT");
  app.add_option("--input", input, "shape of one sample, e.g. 3x224x224")->type_name("SHAPE");
  app.add_option("--classes", classes, "outputs of a zoo network's last layer")->type_name("N");
  app.add_option("--dim", dims, "sets a named size that an .onnx file leaves open, e.g. sequence=128")
      ->type_name("NAME=N");
  app.add_option("--sequence", sequence,
                 "tokens of a sample, for networks of text (default: the smaller of 2,048 and the network's own)")
      ->type_name("N");
  app.add_option("--max-nodes", max_nodes, "largest number of nodes an .onnx file may have (default 200,000)")
      ->type_name("N");
}

std::string ModelFlags::dtype_shown(const std::string& model) const {
  return !dtype.empty() ? dtype : is_file_name(model) ? "as stored" : "f32";
}

bool is_file_name(const std::string& model) {
  return !find_model(model) && !find_language_model(model) &&
         (model.find('/') != std::string::npos || model.ends_with(".onnx") || model.ends_with(".pt") ||
          model.ends_with(".pth") || model.ends_with(".bin") || model.ends_with(".pb") || model.ends_with(".json") ||
          model.ends_with(".gguf") || kind_of_model_file(model) == ModelFile::config);
}

Result<std::optional<int64_t>> ModelFlags::read_batch() const {
  if (batch.empty()) return std::optional<int64_t>();
  PLIM_ASSIGN(const int64_t read, parse_integer("--batch", batch, 1, kLargestBatch));
  return std::optional(read);
}

Result<NumberFormat> ModelFlags::read_format() const {
  return dtype.empty() ? NumberFormat{"f32", std::nullopt, std::nullopt} : number_format(dtype);
}

Result<ImportedNetwork> load_model(const std::string& model, const ModelFlags& flags) {
  if (!is_file_name(model)) {
    PLIM_ASSIGN(Graph graph, build_from_zoo(model, flags));
    return ImportedNetwork{std::move(graph), nullptr};
  }
  if (kind_of_model_file(model) != ModelFile::onnx) {
    PLIM_ASSIGN(Graph graph, load_graph(model, flags));
    return ImportedNetwork{std::move(graph), nullptr};
  }
  PLIM_ASSIGN(const ImportLimits limits, read_limits(flags));
  auto imported = import_onnx_with_weights(model, limits);
  if (!imported.ok()) return std::move(imported).error().in(model);
  return imported;
}

Result<Network> load_network(const std::string& model, const ModelFlags& flags) {
  BindOptions options;
  for (const auto& dim : flags.dims) PLIM_TRY(read_dim(dim, options.dims));
  if (is_file_name(model) && !flags.input.empty()) {
    PLIM_ASSIGN(options.sample, parse_shape(flags.input));
  }
  PLIM_ASSIGN(Graph loaded, load_graph(model, flags));
  const auto graph = std::make_shared<const Graph>(std::move(loaded));
  const auto binding = [&](bool write_out_loops) -> Network::Bind {
    return [=](std::optional<int64_t> batch, const NumberFormat& format) -> Result<Program> {
      BindOptions bound = options;
      bound.batch = batch;
      bound.parameters = format.parameters;
      bound.activations = format.activations;
      bound.write_out_loops = write_out_loops;
      auto program = bind(*graph, bound);
      if (!program.ok()) return std::move(program).error().in(model);
      return program;
    };
  };
  return Network(model, binding(true), open_sizes(*graph, options.sample.has_value()), binding(false));
}

Result<Program> load_program(const std::string& model, const ModelFlags& flags) {
  PLIM_ASSIGN(const auto batch, flags.read_batch());
  PLIM_ASSIGN(const NumberFormat format, flags.read_format());
  PLIM_ASSIGN(const Network network, load_network(model, flags));
  return network.forward(batch, format);
}

}  // namespace plimsoll
