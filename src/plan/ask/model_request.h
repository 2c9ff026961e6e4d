// ModelRequest: which network, in which number format and with which sizes; shared by every verb that takes a MODEL, so
// that its fields mean the same everywhere.
#pragma once

#include "base/rows/fields.h"
#include "model/onnx/import.h"
#include "plan/verdict/network.h"

namespace plimsoll {

// A network by its name in the zoo or by the path of a file, or one that was read from memory.
struct ModelSource {
  std::string name;
  // Of one that was read from memory: the graph of an .onnx file, or the text of a config.json, whose graph follows the
  // sequence that is asked for. Both nullptr: the name says where it is.
  std::shared_ptr<const Graph> graph = nullptr;
  std::shared_ptr<const std::string> config = nullptr;

  bool empty() const { return name.empty(); }
  bool is_file() const;  // its sizes, formats and classes are its own
};

// A size that a file leaves open, by its name.
struct DimSize {
  std::string name;
  int64_t size = 0;
};

struct ModelRequest {
  ModelSource source;
  std::optional<NumberFormat> dtype;
  std::optional<Shape> input;
  std::optional<int64_t> classes, sequence, max_nodes;
  std::vector<DimSize> dims;

  void describe(Fields& fields);        // with MODEL
  void describe_sizes(Fields& fields);  // without it: for a verb that takes several networks

  NumberFormat format() const;       // f32, the network's own, when none is asked for
  std::string format_shown() const;  // "as stored" for a file of which no format is asked
};

// MODEL is a zoo name or the path of an .onnx file, a config.json, a folder that has one, or a .gguf.
bool is_file_name(const std::string& model);

// The graph; `weights` are those of an .onnx file, nullptr for a network of the zoo.
Result<ImportedNetwork> load_model(const ModelRequest& request);

// The graph alone, weights unread.
Result<std::shared_ptr<const Graph>> load_graph(const ModelRequest& request);

// A network of transformers, by the name of the zoo or as a config.json or .gguf: its sizes follow the sequence.
bool is_language_model(const ModelRequest& request);

Result<Network> load_network(const ModelRequest& request);

// The same of a graph that is there already.
Network make_network(const ModelRequest& request, std::shared_ptr<const Graph> graph);

template <>
struct Form<ModelSource> {
  static Result<ModelSource> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<ModelSource> read(const Row& row, const std::string& called, const Json& json);
  static Json write(const ModelSource& value) { return value.name; }
  static Json schema(const Row&) { return {{"type", "string"}}; }
};

template <>
struct Form<NumberFormat> : TextForm<NumberFormat> {
  static Result<NumberFormat> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const NumberFormat& value) { return value.name; }
};

template <>
struct Form<DimSize> : TextForm<DimSize> {
  static Result<DimSize> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const DimSize& value) { return value.name + "=" + std::to_string(value.size); }
};

}  // namespace plimsoll
