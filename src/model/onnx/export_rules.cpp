// Operations that opset 17 does not have, each written as nodes that it has.
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>

#include "model/onnx/export_attention.h"
#include "model/onnx/export_attributes.h"
#include "model/onnx/export_nodes.h"
#include "model/ops/fused_activation.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

// x · W + bias
Status linear(NodeWriter& to, const Node& node) {
  if (!to.has(node, 2)) {
    to.add("MatMul", {to.input(node, 0), to.input(node, 1)}, to.output(node));
    return {};
  }
  const std::string product = to.fresh(node, "product");
  to.add("MatMul", {to.input(node, 0), to.input(node, 1)}, product);
  to.add("Add", {product, to.input(node, 2)}, to.output(node));
  return {};
}

// x · sigmoid(alpha · x)
Status gated(NodeWriter& to, const Node& node, double alpha) {
  const std::string x = to.input(node, 0), gate = to.fresh(node, "gate");
  std::string scaled = x;
  if (alpha != 1) {
    const std::string factor = to.number(node, "alpha", alpha);
    scaled = to.fresh(node, "scaled");
    to.add("Mul", {x, factor}, scaled);
  }
  to.add("Sigmoid", {scaled}, gate);
  to.add("Mul", {x, gate}, to.output(node));
  return {};
}
Status silu(NodeWriter& to, const Node& node) { return gated(to, node, node.attributes.number("alpha", 1)); }
Status quick_gelu(NodeWriter& to, const Node& node) { return gated(to, node, node.attributes.number("alpha", 1.702)); }

// x · tanh(log(1 + exp(x)))
Status mish(NodeWriter& to, const Node& node) {
  const std::string soft = to.fresh(node, "softplus"), bent = to.fresh(node, "tanh");
  to.add("Softplus", {to.input(node, 0)}, soft);
  to.add("Tanh", {soft}, bent);
  to.add("Mul", {to.input(node, 0), bent}, to.output(node));
  return {};
}

// The share of a normal distribution below x is (1 + share) / 2.
std::string exact_share(NodeWriter& to, const Node& node, const std::string& x) {
  const std::string root = to.number(node, "root", std::numbers::sqrt2);
  const std::string scaled = to.fresh(node, "scaled"), share = to.fresh(node, "erf");
  to.add("Div", {x, root}, scaled);
  to.add("Erf", {scaled}, share);
  return share;
}

// tanh(sqrt(2 / pi) · (x + 0.044715 x³))
std::string tanh_share(NodeWriter& to, const Node& node, const std::string& x) {
  const std::string three = to.number(node, "three", 3), part = to.number(node, "part", 0.044715);
  const std::string factor = to.number(node, "factor", std::sqrt(2 / std::numbers::pi));
  Names step;
  for (const auto* what : {"cube", "small", "sum", "scaled", "tanh"}) step.push_back(to.fresh(node, what));
  to.add("Pow", {x, three}, step[0]);
  to.add("Mul", {step[0], part}, step[1]);
  to.add("Add", {x, step[1]}, step[2]);
  to.add("Mul", {step[2], factor}, step[3]);
  to.add("Tanh", {step[3]}, step[4]);
  return step[4];
}

// x / 2 · (1 + share), x being the input and its bias if it has one.
Status gelu_of(NodeWriter& to, const Node& node, bool by_tanh) {
  std::string x = to.input(node, 0);
  if (to.has(node, 1)) {
    const std::string biased = to.fresh(node, "biased");
    to.add("Add", {x, to.input(node, 1)}, biased);
    x = biased;
  }
  const std::string share = by_tanh ? tanh_share(to, node, x) : exact_share(to, node, x);
  const std::string one = to.number(node, "one", 1), half = to.number(node, "half", 0.5);
  const std::string sum = to.fresh(node, "share"), product = to.fresh(node, "product");
  to.add("Add", {share, one}, sum);
  to.add("Mul", {x, sum}, product);
  to.add("Mul", {product, half}, to.output(node));
  return {};
}
Status gelu(NodeWriter& to, const Node& node) {
  return gelu_of(to, node, node.attributes.text("approximate", "none") == "tanh");
}
Status bias_gelu(NodeWriter& to, const Node& node) { return gelu_of(to, node, false); }
Status fast_gelu(NodeWriter& to, const Node& node) { return gelu_of(to, node, true); }

// The share that each of `from` numbers has in each of `to` bins, as a matrix (from, to).
Tensor bins(int64_t from, int64_t to) {
  std::vector<float> shares(size_t(from * to), 0);
  for (int64_t bin = 0; bin < to; ++bin) {
    const int64_t first = bin * from / to, end = ((bin + 1) * from + to - 1) / to;
    for (int64_t i = first; i < end; ++i) shares[size_t(i * to + bin)] = 1 / float(end - first);
  }
  return float_tensor({from, to}, shares);
}

// Bins of unequal sizes: a product with their shares on each axis, the axis turned to the end for it.
Status uneven_average_pool(NodeWriter& to, const Node& node, const Shape& in, const Shape& out) {
  std::string x = to.input(node, 0);
  std::vector<int64_t> turn = {0, 1};  // brings the first of the spatial axes to the end
  for (int axis = 3; axis < in.rank(); ++axis) turn.push_back(axis);
  turn.push_back(2);
  for (int axis = 2; axis < in.rank(); ++axis) {
    const std::string shares = to.fresh(node, "bins"), turned = to.fresh(node, "turned");
    to.write_constant(shares, bins(in[axis], out[axis]));
    add_attribute(to.add("Transpose", {x}, turned), "perm", turn);
    x = axis + 1 == in.rank() ? to.output(node) : to.fresh(node, "pooled");
    to.add("MatMul", {turned, shares}, x);
  }
  return {};
}

Status adaptive_pool(NodeWriter& to, const Node& node) {
  const bool average = node.op->name == "adaptive_average_pool";
  PLIM_ASSIGN(const Shape in, to.shape_of(node.inputs.at(0)));
  PLIM_ASSIGN(const Shape out, to.shape_of(node.outputs.at(0)));
  bool one = true, even = true;
  std::vector<int64_t> kernel;
  for (int axis = 2; axis < in.rank(); ++axis) {
    one = one && out[axis] == 1;
    even = even && in[axis] % out[axis] == 0;
    kernel.push_back(in[axis] / out[axis]);
  }
  if (!one && !even && average) return uneven_average_pool(to, node, in, out);
  if (!one && !even)
    return user_error(fmt::format("pools {} to {} by their largest, in bins of unequal sizes", in.text(), out.text()));
  const std::string name = one       ? (average ? "GlobalAveragePool" : "GlobalMaxPool")
                           : average ? "AveragePool"
                                     : "MaxPool";
  auto& pool = to.add(name, {to.input(node, 0)}, to.output(node));
  if (one) return {};
  add_attribute(pool, "kernel_shape", kernel);
  add_attribute(pool, "strides", kernel);
  return {};
}

// Before opset 13: everything from the axis on counts as one.
Status flat_softmax(NodeWriter& to, const Node& node) {
  PLIM_ASSIGN(const Shape shape, to.shape_of(node.inputs.at(0)));
  PLIM_ASSIGN(const int axis, normalise_axis(node.attributes.integer("axis", 1), shape.rank()));
  const std::string x = to.input(node, 0);
  const std::string flat = to.fresh(node, "flat"), result = to.fresh(node, "result"), sizes = to.fresh(node, "sizes");
  to.add("Shape", {x}, sizes);
  add_attribute(to.add("Flatten", {x}, flat), "axis", int64_t(axis));
  add_attribute(to.add(std::string(node.op->onnx.front()), {flat}, result), "axis", int64_t{-1});
  to.add("Reshape", {result, sizes}, to.output(node));
  return {};
}

Status fused_matmul(NodeWriter& to, const Node& node) {
  Names sides = {to.input(node, 0), to.input(node, 1)};
  for (size_t i = 0; i < 2; ++i) {
    if (node.attributes.integer(i == 0 ? "transA" : "transB", 0) == 0) continue;
    PLIM_ASSIGN(const Shape shape, to.shape_of(node.inputs[i]));
    std::vector<int64_t> order;
    for (int axis = 0; axis < shape.rank(); ++axis) order.push_back(axis);
    if (order.size() >= 2) std::swap(order[order.size() - 1], order[order.size() - 2]);
    const std::string turned = to.fresh(node, "turned");
    add_attribute(to.add("Transpose", {sides[i]}, turned), "perm", order);
    sides[i] = turned;
  }
  const double alpha = node.attributes.number("alpha", 1);
  if (alpha == 1) {
    to.add("MatMul", sides, to.output(node));
    return {};
  }
  const std::string product = to.fresh(node, "product");
  to.add("MatMul", sides, product);
  const std::string factor = to.number(node, "alpha", alpha);
  to.add("Mul", {product, factor}, to.output(node));
  return {};
}

// A convolution or a product with the activation after it.
Status with_activation(NodeWriter& to, const Node& node) {
  PLIM_ASSIGN(const Activation activation, fused_activation(node.attributes));
  if (activation.parameters > 0)
    return user_error(fmt::format("has a fused {} with parameters, which is not exported", activation.name));
  if (node.op->name == "conv" && to.has(node, 3)) return user_error("adds a fourth input, which is not exported");
  const std::string before = to.fresh(node, "before");
  PLIM_TRY(to.write_plain(node, before));
  std::string name = activation.name;  // in small letters; ONNX's begin with a capital
  name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  to.add(name, {before}, to.output(node));
  return {};
}

// Resize took Upsample's place; its own way of choosing the nearest is another.
Status upsample(NodeWriter& to, const Node& node) {
  std::string scales = to.input(node, 1);
  if (scales.empty()) {
    std::vector<float> factors;
    for (const double factor : node.attributes.numbers("scales")) factors.push_back(float(factor));
    scales = to.fresh(node, "scales");
    to.write_constant(scales, float_tensor(Shape{int64_t(factors.size())}, factors));
  }
  auto& resize = to.add("Resize", {to.input(node, 0), "", scales}, to.output(node));
  add_attribute(resize, "mode", node.attributes.text("mode", "nearest"));
  add_attribute(resize, "coordinate_transformation_mode", std::string("asymmetric"));
  add_attribute(resize, "nearest_mode", std::string("floor"));
  return {};
}

struct Entry {
  std::string_view op;
  ExportRule rule;
};
constexpr Entry kRules[] = {{"linear", linear},
                            {"silu", silu},
                            {"quick_gelu", quick_gelu},
                            {"mish", mish},
                            {"gelu", gelu},
                            {"bias_gelu", bias_gelu},
                            {"fast_gelu", fast_gelu},
                            {"adaptive_average_pool", adaptive_pool},
                            {"adaptive_max_pool", adaptive_pool},
                            {"upsample", upsample},
                            {"grouped_attention", export_grouped_attention}};

}  // namespace

ExportRule export_rule(const Node& node) {
  const std::string_view name = node.op->name;
  if (node.attributes.integer("flatten", 0) != 0) return flat_softmax;
  if (name == "matmul" &&
      (node.attributes.has("transA") || node.attributes.has("transB") || node.attributes.has("alpha")))
    return fused_matmul;
  if (node.attributes.has("activation")) return with_activation;
  for (const auto& [op, rule] : kRules)
    if (op == name) return rule;
  return nullptr;
}

}  // namespace plimsoll
