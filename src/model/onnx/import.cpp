#include "model/onnx/import.h"

#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>

#include <filesystem>

#include "base/text.h"
#include "model/onnx/composites.h"
#include "model/onnx/eager_attention.h"
#include "model/onnx/functions.h"
#include "model/onnx/graph_builder.h"
#include "model/onnx/looked_up_tables.h"
#include "model/onnx/module_names.h"
#include "model/onnx/onnx_weights.h"
#include "model/onnx/packed_weights.h"
#include "model/onnx/recognise.h"
#include "model/onnx/repeated_rows.h"
#include "model/onnx/restored_norms.h"
#include "model/onnx/scan.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestTensorFile = 256 << 20;

template <class Message>
bool parse(const std::string& bytes, Message& message) {
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()), int(bytes.size()));
  input.SetRecursionLimit(kDeepestNesting + 10);
  return message.ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

// The model lives in the arena: a file has tens of thousands of small messages, which go all at once.
Result<onnx::ModelProto*> read_model(const ByteSource& source, const ImportLimits& limits,
                                     google::protobuf::Arena& arena) {
  auto scanned = scan_model(source, limits);
  if (!scanned.ok()) return std::move(scanned).error();
  auto* model = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
  if (!parse(*scanned, *model)) return user_error("not a valid ONNX model: protobuf cannot read it");
  if (!model->has_graph()) return user_error("has no graph: not an ONNX model, or cut short");
  return model;
}

google::protobuf::ArenaOptions arena_options() {
  google::protobuf::ArenaOptions options;
  options.start_block_size = 64 << 10;
  options.max_block_size = 1 << 20;
  return options;
}

void set_batch(Graph& graph) {
  graph.batch_symbol.clear();
  if (graph.inputs.empty()) return;
  const SymbolicShape& shape = *graph.value(graph.inputs[0]).shape;
  if (!shape.empty()) graph.batch_symbol = shape[0].symbol;
}

void note_empty_inputs(Graph& graph) {
  for (const ValueId id : graph.inputs)
    for (const Dim& dim : *graph.value(id).shape)
      if (!dim.is_symbolic() && dim.size == 0) {
        graph.notes.push_back(
            fmt::format("input {} has a size of 0, so it is always empty", plimsoll::in_quotes(graph.value(id).name)));
        break;
      }
}

Result<Graph> import_source(const ByteSource& source, std::optional<std::string> folder, const ImportLimits& limits,
                            OnnxTensors* stored) {
  google::protobuf::Arena arena(arena_options());
  auto read = read_model(source, limits, arena);
  if (!read.ok()) {
    auto better = read.error().kind == ErrorKind::user ? recognise(source) : std::nullopt;
    return better ? *std::move(better) : std::move(read).error();
  }
  onnx::ModelProto& model = **read;
  std::vector<std::string> notes;
  PLIM_ASSIGN(const Opsets opsets, model_opsets(model, notes));
  adapt_to_opset(*model.mutable_graph()->mutable_node(), opsets);
  PLIM_TRY(inline_functions(model, opsets, limits));
  name_by_module(*model.mutable_graph());
  const int64_t made_up = stored ? 0 : restore_norms(model, notes);
  retype_packed_weights(*model.mutable_graph());
  PLIM_TRY(expand_composites(*model.mutable_graph(), limits));
  TensorFiles files{&source, ExternalData(std::move(folder))};
  files.stored = stored;
  FreeNames free_names(limits.nodes);
  GraphBuilder builder(model.graph(), files, free_names);
  PLIM_TRY(builder.build());
  files.without_contents -= made_up;
  const auto parameters = builder.stored_as(Role::parameter), constants = builder.stored_as(Role::constant);
  Graph graph = builder.finish({}, nullptr);
  if (graph.nodes.empty() && graph.outputs.empty()) return user_error("its graph is empty: no nodes and no outputs");
  graph.notes = std::move(notes);
  for (auto& note : files.notes()) graph.notes.push_back(std::move(note));
  if (builder.unused() > 0)
    graph.notes.push_back(fmt::format("{} initializers are read by nothing and not counted, first {}", builder.unused(),
                                      plimsoll::in_quotes(builder.first_unused())));
  for (const std::string& copy : tie_weights(graph, parameters, files))
    if (stored) stored->erase(copy);
  if (!stored) {  // a run reads the numbers as they are stored
    store_once(graph, parameters, files);
    store_once(graph, constants, files);
    store_rows_once(graph, parameters, files);
    store_looked_up(graph, parameters, files);
  }
  mark_eager_attention(graph);
  set_batch(graph);
  note_empty_inputs(graph);
  return graph;
}

std::string folder_of(const std::string& path) {
  const std::filesystem::path file(path);
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

Result<Graph> import_file(const ByteSource& source, const std::string& path, const ImportLimits& limits,
                          OnnxTensors* stored) {
  auto graph = import_source(source, folder_of(path), limits, stored);
  if (graph.ok() && graph->name.empty()) graph->name = std::filesystem::path(path).stem().string();
  return graph;
}

}  // namespace

Result<Graph> import_onnx(const std::string& path, const ImportLimits& limits) {
  PLIM_ASSIGN(const auto source, open_regular_file(path));
  return import_file(*source, path, limits, nullptr);
}

Result<ImportedNetwork> import_onnx_with_weights(const std::string& path, const ImportLimits& limits) {
  PLIM_ASSIGN(auto source, open_regular_file(path));
  OnnxTensors stored;
  PLIM_ASSIGN(Graph graph, import_file(*source, path, limits, &stored));
  auto weights = std::make_unique<OnnxWeights>(std::move(source), folder_of(path), std::move(stored));
  return ImportedNetwork{std::move(graph), std::move(weights)};
}

Result<Graph> import_onnx_bytes(std::string_view bytes, const ImportLimits& limits) {
  return import_source(MemorySource(bytes), std::nullopt, limits, nullptr);
}

Result<Tensor> read_tensor_file(const std::string& path) {
  const auto read = [&]() -> Result<Tensor> {
    PLIM_ASSIGN(const auto source, open_regular_file(path));
    if (source->size() > kLargestTensorFile) return user_error("too large for a tensor file");
    std::string bytes(size_t(source->size()), '\0');
    PLIM_TRY(source->read(0, bytes));
    onnx::TensorProto proto;
    if (!parse(bytes, proto)) return user_error("not a TensorProto");
    proto.mutable_unknown_fields()->clear();
    TensorFiles files{nullptr, ExternalData(std::nullopt)};
    PLIM_ASSIGN(const TensorType type, check_tensor(proto, files));
    return read_contents(proto, type);
  };
  auto tensor = read();
  if (!tensor.ok()) return std::move(tensor).error().in(printable(path));
  return tensor;
}

}  // namespace plimsoll
