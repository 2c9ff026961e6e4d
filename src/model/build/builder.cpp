#include "model/build/builder.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

Sizes or_each(const Sizes& sizes, size_t count, int64_t fallback) {
  return sizes.empty() ? Sizes(count, fallback) : sizes;
}

Sizes both_sides(const Sizes& padding, size_t axes) {
  Sizes pads = or_each(padding, axes, 0);
  pads.insert(pads.end(), pads.begin(), pads.begin() + int64_t(axes));
  return pads;
}

Attributes pool_attributes(const PoolOptions& options) {
  return {{"kernel_shape", options.kernel},
          {"strides", options.stride.empty() ? options.kernel : options.stride},
          {"pads", both_sides(options.padding, options.kernel.size())},
          {"ceil_mode", int64_t(options.ceil)}};
}

}  // namespace

Builder::Scope::Scope(Builder& builder, const std::string& name) : builder_(builder), length_(builder.prefix_.size()) {
  if (!name.empty()) builder_.prefix_ += name + ".";
}
Builder::Scope::~Scope() { builder_.prefix_.resize(length_); }

Builder::Sharing::Sharing(Builder& builder, std::string owner) : builder_(builder) {
  builder_.owner_ = std::move(owner);
  builder_.shared_from_ = builder_.prefix_.size();
}
Builder::Sharing::~Sharing() { builder_.owner_.reset(); }

Builder::Builder(std::string name, const Shape& sample, DType type) {
  graph_.name = std::move(name);
  input_ = add_input("input", sample, type);
}

ValueId Builder::add_input(const std::string& name, const Shape& sample, DType type) {
  SymbolicShape shape{Dim(graph_.batch_symbol)};
  Shape one{1};
  for (const int64_t dim : sample) {
    shape.push_back(dim);
    one.push_back(dim);
  }
  const ValueId id = graph_.add({name, Role::input, type, shape, nullptr});
  graph_.inputs.push_back(id);
  types_.push_back({type, one});
  known_.push_back(nullptr);
  return id;
}

const Shape& Builder::shape(ValueId value) const { return types_.at(size_t(value.index)).shape; }

int64_t Builder::channels(ValueId value) const { return shape(value).rank() < 2 ? 1 : shape(value)[1]; }

void Builder::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

ValueId Builder::stored(const std::string& name, Role role, const Shape& shape) {
  const std::string stored_name = owner_ ? *owner_ + "." + full(name).substr(shared_from_) : full(name);
  if (owner_)
    if (const auto known = shared_.find(stored_name); known != shared_.end()) return known->second;
  types_.push_back({DType::f32, shape});
  known_.push_back(nullptr);
  const ValueId id = graph_.add({stored_name, role, DType::f32, fixed(shape), nullptr});
  if (owner_) shared_.emplace(stored_name, id);
  return id;
}

ValueId Builder::parameter(const std::string& name, const Shape& shape) { return stored(name, Role::parameter, shape); }
ValueId Builder::buffer(const std::string& name, const Shape& shape) { return stored(name, Role::buffer, shape); }

ValueId Builder::constant(const std::string& name, Tensor tensor) {
  const auto data = std::make_shared<const Tensor>(std::move(tensor));
  types_.push_back(data->type);
  known_.push_back(data);
  return graph_.add({full(name), Role::constant, data->type.dtype, fixed(data->type.shape), data});
}

// What shape arithmetic gives for a batch of 1, so that the layers after it have shapes. The nodes stay: bind
// computes them again for its batch.
std::vector<TensorPtr> Builder::fold(const Op& op, const OpCall& call, const std::vector<TensorType>& types) const {
  constexpr int64_t kShapeSized = 64;
  std::vector<TensorPtr> contents(call.output_count());
  if (types[0].dtype != DType::i64 || types[0].elements().value() > kShapeSized) return contents;
  if (op.from_types) {
    contents[0] = op.from_types(call);
    return contents;
  }
  std::vector<const Tensor*> inputs;
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (call.has(i) && !call.constant(i)) return contents;
    inputs.push_back(call.constant(i));
  }
  if (!op.reference || op.random) return contents;
  auto outputs = evaluate(op, call.attributes, inputs, call.output_count());
  if (!outputs.ok() || !outputs->has_value()) return contents;
  for (size_t i = 0; i < contents.size(); ++i) contents[i] = std::make_shared<const Tensor>(std::move((**outputs)[i]));
  return contents;
}

std::vector<ValueId> Builder::apply_many(const std::string& name, std::string_view op_name, std::vector<ValueId> inputs,
                                         Attributes attributes, size_t outputs) {
  if (failed()) return std::vector<ValueId>(outputs, input_);
  const Op& op = op_named(op_name);
  std::vector<const TensorType*> input_types;
  std::vector<const Tensor*> constants;
  for (const ValueId id : inputs) {
    input_types.push_back(id.present() ? &types_[size_t(id.index)] : nullptr);
    constants.push_back(id.present() ? known_[size_t(id.index)].get() : nullptr);
  }
  const OpCall call(attributes, input_types, constants, outputs);
  auto inferred = infer(op, call);
  if (!inferred.ok()) {
    fail(std::move(inferred).error().in(fmt::format("{}: layer {} ({})", graph_.name, in_quotes(full(name)), op.name)));
    return std::vector<ValueId>(outputs, input_);
  }
  const auto contents = fold(op, call, *inferred);
  Node node{&op, std::string(op.name), full(name), std::move(inputs), {}, std::move(attributes)};
  for (size_t i = 0; i < outputs; ++i) {
    node.outputs.push_back(graph_.add({outputs == 1 ? full(name) : fmt::format("{}:{}", full(name), i),
                                       Role::activation, (*inferred)[i].dtype, std::nullopt, nullptr}));
    types_.push_back((*inferred)[i]);
    known_.push_back(contents[i]);
  }
  graph_.nodes.push_back(node);
  return node.outputs;
}

ValueId Builder::apply(const std::string& name, std::string_view op, std::vector<ValueId> inputs,
                       Attributes attributes) {
  return apply_many(name, op, std::move(inputs), std::move(attributes), 1)[0];
}

ValueId Builder::conv(const std::string& name, ValueId x, int64_t kernels, const ConvOptions& options) {
  if (failed()) return x;
  if (options.groups < 1) {
    fail(user_error(fmt::format("layer {} has {} groups, expected at least 1", in_quotes(full(name)), options.groups))
             .in(graph_.name));
    return x;
  }
  const size_t axes = options.kernel.size();
  Shape weights{kernels, channels(x) / options.groups};
  for (const int64_t k : options.kernel) weights.push_back(k);
  std::vector<ValueId> inputs{x, parameter(name + ".weight", weights)};
  if (options.bias) inputs.push_back(parameter(name + ".bias", {kernels}));
  return apply(name, "conv", std::move(inputs),
               {{"kernel_shape", options.kernel},
                {"strides", or_each(options.stride, axes, 1)},
                {"pads", both_sides(options.padding, axes)},
                {"dilations", or_each(options.dilation, axes, 1)},
                {"group", options.groups}});
}

ValueId Builder::linear(const std::string& name, ValueId x, int64_t outputs, bool bias) {
  if (failed()) return x;
  const Shape from = shape(x);
  if (from.rank() < 2) {
    fail(user_error(fmt::format("layer {} reads {}, expected at least one vector per sample", in_quotes(full(name)),
                                from.text()))
             .in(graph_.name));
    return x;
  }
  const int64_t inputs_count = from[from.rank() - 1];
  if (from.rank() == 2) {
    std::vector<ValueId> inputs{x, parameter(name + ".weight", {outputs, inputs_count})};
    if (bias) inputs.push_back(parameter(name + ".bias", {outputs}));
    return apply(name, "gemm", std::move(inputs), {{"transB", int64_t{1}}});
  }
  std::vector<ValueId> inputs{x, parameter(name + ".weight", {inputs_count, outputs})};
  if (bias) inputs.push_back(parameter(name + ".bias", {outputs}));
  return apply(name, "linear", std::move(inputs));
}

ValueId Builder::batch_norm(const std::string& name, ValueId x, double epsilon, double momentum) {
  const Shape per_channel{channels(x)};
  return apply(name, "batch_norm",
               {x, parameter(name + ".weight", per_channel), parameter(name + ".bias", per_channel),
                buffer(name + ".running_mean", per_channel), buffer(name + ".running_var", per_channel)},
               {{"epsilon", epsilon}, {"momentum", momentum}});
}

ValueId Builder::layer_norm(const std::string& name, ValueId x, double epsilon) {
  const Shape width{shape(x)[shape(x).rank() - 1]};
  return apply(name, "layer_norm", {x, parameter(name + ".weight", width), parameter(name + ".bias", width)},
               {{"axis", int64_t{-1}}, {"epsilon", epsilon}});
}

ValueId Builder::max_pool(const std::string& name, ValueId x, const PoolOptions& options) {
  return apply(name, "max_pool", {x}, pool_attributes(options));
}

ValueId Builder::average_pool(const std::string& name, ValueId x, const PoolOptions& options) {
  Attributes attributes = pool_attributes(options);
  attributes.set("count_include_pad", int64_t(options.count_padding));
  return apply(name, "average_pool", {x}, std::move(attributes));
}

ValueId Builder::adaptive_average_pool(const std::string& name, ValueId x, const Sizes& output) {
  return apply(name, "adaptive_average_pool", {x}, {{"output_size", output}});
}

ValueId Builder::global_average_pool(const std::string& name, ValueId x) {
  return apply(name, "global_average_pool", {x});
}

ValueId Builder::embedding(const std::string& name, ValueId indices, int64_t entries, int64_t width) {
  return apply(name, "gather", {parameter(name + ".weight", {entries, width}), indices}, {{"axis", int64_t{0}}});
}

ValueId Builder::dropout(const std::string& name, ValueId x, double ratio) {
  return apply(name, "dropout", {x}, {{"ratio", ratio}});
}

ValueId Builder::concat(const std::string& name, const std::vector<ValueId>& parts, int64_t axis) {
  return apply(name, "concat", parts, {{"axis", axis}});
}

ValueId Builder::flatten(const std::string& name, ValueId x, int64_t axis) {
  return apply(name, "flatten", {x}, {{"axis", axis}});
}

ValueId Builder::reshape(const std::string& name, ValueId x, const Sizes& sizes) {
  return apply(name, "reshape", {x, constant(name + ".shape", integer_tensor(sizes))});
}

ValueId Builder::transpose(const std::string& name, ValueId x, const Sizes& order) {
  return apply(name, "transpose", {x}, {{"perm", order}});
}

Result<Graph> Builder::finish(ValueId output) {
  if (error_) return std::move(*error_);
  graph_.outputs.push_back(output);
  PLIM_CHECK(validate(graph_).ok(), "the zoo built a broken graph");
  return std::move(graph_);
}

}  // namespace plimsoll
