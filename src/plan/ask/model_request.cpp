#include "plan/ask/model_request.h"

#include <algorithm>

#include "base/rows/named.h"
#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/ir/open_sizes.h"
#include "model/load/load_model_file.h"
#include "model/zoo/all_models.h"
#include "model/zoo/language_models.h"
#include "plan/ask/language_model.h"
#include "plan/ask/network_loader.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostNodes = 100'000'000;
constexpr int64_t kLongestSequence = 1 << 24;

Result<ImportLimits> limits_of(const ModelRequest& request) {
  if (request.classes && !request.source.config && kind_of_model_file(request.source.name) == ModelFile::onnx)
    return user_error(named("classes") + " is for networks of the zoo, an .onnx file has its own");
  ImportLimits limits;
  if (request.max_nodes) {
    limits.nodes = *request.max_nodes;
    limits.inputs = std::max(limits.inputs, limits.nodes);
  }
  return limits;
}

Result<Graph> build_from_zoo(const ModelRequest& request) {
  ZooOptions options;
  options.input = request.input;
  options.classes = request.classes;
  if (request.sequence) {
    const ZooModel* found = find_model(request.source.name);
    if (found && found->input_type != DType::i64)
      return user_error(
          fmt::format("{} is for networks that read text, {} reads pictures", named("sequence"), request.source.name));
    options.input = Shape{*request.sequence};
  }
  return build_model(request.source.name, options);
}

// "meta-llama/Llama-3.1-8B" is no file here, but a network that has a name.
Error with_known_name(Error error, const std::string& path) {
  std::string dashed = path;
  std::replace(dashed.begin(), dashed.end(), '/', '-');  // "ViT-B/16"
  const std::string last = find_model(dashed) ? dashed : path.substr(path.rfind('/') + 1);
  const LanguageModel* language = find_language_model(last);
  const ZooModel* model = language ? nullptr : find_model(last);
  if (error.hint.empty() && error.what == "no such file" && (language || model))
    error.hint = fmt::format("did you mean {}?", in_quotes(std::string(language ? language->name : model->name)));
  return error;
}

}  // namespace

Result<std::shared_ptr<const Graph>> load_graph(const ModelRequest& request) {
  const std::string& model = request.source.name;
  if (request.source.is_file()) {
    LoadOptions options;
    PLIM_ASSIGN(options.limits, limits_of(request));
    if (request.source.graph) return request.source.graph;
    if (request.source.config) {
      PLIM_ASSIGN(Graph graph, import_config_text(*request.source.config, {request.sequence, {}, request.classes}));
      return std::make_shared<const Graph>(std::move(graph));
    }
    options.sequence = request.sequence;
    options.vocabulary = request.classes;
    auto graph = load_model_file(model, options);
    if (!graph.ok()) return with_known_name(std::move(graph).error(), model).in(model);
    return std::make_shared<const Graph>(*std::move(graph));
  }
  PLIM_ASSIGN(Graph graph, build_from_zoo(request));
  return std::make_shared<const Graph>(std::move(graph));
}

bool is_language_model(const ModelRequest& request) {
  if (request.source.graph) return false;
  if (request.source.config) return true;
  if (find_language_model(request.source.name)) return true;
  return is_file_name(request.source.name) && kind_of_model_file(request.source.name) != ModelFile::onnx;
}

bool is_file_name(const std::string& model) {
  return !find_model(model) && !find_language_model(model) &&
         (model.find('/') != std::string::npos || has_ending_of_a_model(model) ||
          kind_of_model_file(model) == ModelFile::config);
}

bool ModelSource::is_file() const { return graph || config || is_file_name(name); }

void ModelRequest::describe(Fields& fields) {
  fields.add(source, {.name = "model",
                      .subject = Subject::network,
                      .help = "a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face "
                              "config.json (or its folder) or a .gguf",
                      .positional = true,
                      .page = true});
  describe_sizes(fields);
}

void ModelRequest::describe_sizes(Fields& fields) {
  fields.add(dtype, {.name = "dtype",
                     .subject = Subject::network,
                     .help = "number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 "
                             "activations); fp8 and amp-bf16 for language models",
                     .value = "FORMAT",
                     .fallback = "f32, or as the file has it",
                     .page = true});
  fields.add(input, {.name = "input",
                     .subject = Subject::network,
                     .help = "shape of one sample, e.g. 3x224x224",
                     .value = "SHAPE",
                     .fallback = "the network's own",
                     .page = true});
  fields.add(classes, {.name = "classes",
                       .subject = Subject::network,
                       .help = "number of classes of a zoo network; size of the vocabulary of a language model",
                       .value = "N",
                       .fallback = "the network's own",
                       .least = 1,
                       .most = double(kLargestBatch),
                       .page = true});
  fields.add(sequence, {.name = "sequence",
                        .subject = Subject::network,
                        .help = "tokens per sample, for networks that read text",
                        .value = "N",
                        .fallback = "2,048, or the network's longest if that is shorter",
                        .unit = "tokens",
                        .least = 1,
                        .most = double(kLongestSequence),
                        .aliases = {"seq-len"},
                        .page = true});
  fields.add(dims, {.name = "dim",
                    .subject = Subject::network,
                    .help = "value for a named size that an .onnx file leaves open, e.g. sequence=128",
                    .value = "NAME=N",
                    .separator = 0,
                    .page = true});
  fields.add(max_nodes, {.name = "max_nodes",
                         .subject = Subject::network,
                         .help = "most nodes that an .onnx file may have",
                         .value = "N",
                         .fallback = "200,000",
                         .least = 1,
                         .most = double(kMostNodes)});
}

NumberFormat ModelRequest::format() const { return dtype.value_or(NumberFormat{"f32", std::nullopt, std::nullopt}); }

std::string ModelRequest::format_shown() const { return dtype ? dtype->name : source.is_file() ? "as stored" : "f32"; }

Result<ImportedNetwork> load_model(const ModelRequest& request) {
  if (!request.source.is_file()) {
    PLIM_ASSIGN(Graph graph, build_from_zoo(request));
    return ImportedNetwork{std::move(graph), nullptr};
  }
  if (kind_of_model_file(request.source.name) != ModelFile::onnx) {
    PLIM_ASSIGN(const auto graph, load_graph(request));
    return ImportedNetwork{*graph, nullptr};
  }
  PLIM_ASSIGN(const ImportLimits limits, limits_of(request));
  auto imported = import_onnx_with_weights(request.source.name, limits);
  if (!imported.ok()) return std::move(imported).error().in(request.source.name);
  return imported;
}

Result<Network> load_network(const ModelRequest& request) {
  PLIM_ASSIGN(const auto graph, load_graph(request));
  return make_network(request, graph);
}

Result<std::shared_ptr<const Network>> load_shared_network(const ModelRequest& request) {
  PLIM_ASSIGN(Network network, load_network(request));
  return std::make_shared<const Network>(std::move(network));
}

Network make_network(const ModelRequest& request, std::shared_ptr<const Graph> graph) {
  const std::string model = request.source.name;
  BindOptions options;
  for (const auto& dim : request.dims) options.dims[dim.name] = dim.size;
  if (request.source.is_file()) options.sample = request.input;
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

Result<ModelSource> Form<ModelSource>::parse(const Row&, const std::string&, const std::string& text) {
  return ModelSource{text, nullptr};
}

Result<ModelSource> Form<ModelSource>::read(const Row&, const std::string& called, const Json& json) {
  if (!json.is_string()) return wrong_json(called, json, "a network's name or path");
  return ModelSource{json.get<std::string>(), nullptr};
}

Result<NumberFormat> Form<NumberFormat>::parse(const Row&, const std::string&, const std::string& text) {
  return number_format(text);
}

// Names of symbolic sizes may hold anything, '=' too: the last one separates.
Result<DimSize> Form<DimSize>::parse(const Row&, const std::string& called, const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    return user_error(fmt::format("{} is {}, expected NAME=SIZE", called, in_quotes(text)), "for example sequence=128");
  DimSize dim{text.substr(0, equals), 0};
  PLIM_ASSIGN(dim.size, parse_integer(called + " " + dim.name, text.substr(equals + 1), 0, kLargestBatch));
  return dim;
}

}  // namespace plimsoll
