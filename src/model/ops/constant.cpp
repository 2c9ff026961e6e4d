// constant: numbers that are part of the graph, in one of ONNX's spellings.
#include <fmt/format.h>

#include <cstring>

#include "base/text.h"
#include "model/ir/backward.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

// The numbers in an attribute, nullopt for text (which has a shape but no numbers).
struct Literal {
  TensorType type;
  TensorPtr numbers;
};

Literal integers_literal(const std::vector<int64_t>& numbers, bool scalar) {
  auto tensor = std::make_shared<Tensor>(scalar ? integer_scalar(numbers.at(0)) : integer_tensor(numbers));
  return {tensor->type, tensor};
}

Literal floats_literal(const std::vector<double>& numbers, bool scalar) {
  const Shape shape = scalar ? Shape{} : Shape{int64_t(numbers.size())};
  auto tensor = std::make_shared<Tensor>(float_tensor(shape, std::vector<float>(numbers.begin(), numbers.end())));
  return {tensor->type, tensor};
}

Result<Literal> literal_of(const Attributes& attributes) {
  if (const TensorPtr tensor = attributes.tensor("value")) return Literal{tensor->type, tensor};
  if (attributes.has("value_int")) return integers_literal({attributes.integer("value_int", 0)}, true);
  if (attributes.has("value_ints")) return integers_literal(attributes.integers("value_ints"), false);
  if (attributes.has("value_float")) return floats_literal({attributes.number("value_float", 0)}, true);
  if (attributes.has("value_floats")) return floats_literal(attributes.numbers("value_floats"), false);
  if (attributes.has("value_string")) return Literal{{DType::string, {}}, nullptr};
  if (const Attribute* texts = attributes.find("value_strings")) {
    const auto* list = std::get_if<std::vector<std::string>>(texts);
    return Literal{{DType::string, Shape{int64_t(list ? list->size() : 0)}}, nullptr};
  }
  if (attributes.has("sparse_value")) return undetermined("a sparse constant is not read");
  return user_error("has no value");
}

Result<std::vector<TensorType>> infer_constant(const OpCall& call) {
  PLIM_ASSIGN(const Literal literal, literal_of(call.attributes));
  return std::vector{literal.type};
}

bool reference_constant(const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
  const Literal literal = *literal_of(call.attributes);
  const size_t bytes = size_t(out[0].size()) * element_size(out[0].dtype());
  if (!literal.numbers || literal.numbers->bytes.size() < bytes) return false;  // text, or contents left in the file
  if (bytes > 0) std::memcpy(out[0].data, literal.numbers->bytes.data(), bytes);
  return true;
}

Bytes moved_constant(const OpCall&) { return Bytes(0); }

std::vector<OpExample> examples_constant() {
  const auto tensor = std::make_shared<const Tensor>(float_tensor({2, 2}, {1, 2, 3, 4}));
  return {{"tensor", {{"value", tensor}}, {}},
          {"integer", {{"value_int", int64_t{7}}}, {}},
          {"integers", {{"value_ints", example::Ints{1, 2}}}, {}},
          {"float", {{"value_float", 0.5}}, {}},
          {"floats", {{"value_floats", std::vector<double>{0.5, 1.5}}}, {}}};
}

}  // namespace

const Op& constant_op() {
  static const Op op{.name = "constant",
                     .onnx = {"Constant"},
                     .required_inputs = 0,
                     .infer = infer_constant,
                     .reference = reference_constant,
                     .gradient = no_gradient,
                     .examples = examples_constant,
                     .moved = moved_constant};
  return op;
}

}  // namespace plimsoll
