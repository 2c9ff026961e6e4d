#include "plan/time/timed_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, kWorks> kNames = {"nothing", "element",     "normalise", "pool",
                                                         "reduce",  "convolution", "grad_data", "grad_weights",
                                                         "product", "update"};

double elements(const Program& program, ValueId id) {
  const auto& type = program.value(id).type;
  return type ? double(type->elements().value()) : 0;
}

// The shapes of a convolution's three tensors, whichever of them is computed from the other two.
struct ConvolutionShapes {
  Shape x, weights, y;
};

std::optional<ConvolutionShapes> convolution_shapes(const Program& program, const Operation& operation, Work work) {
  const auto shape = [&](const std::vector<ValueId>& ids, size_t i) {
    if (i >= ids.size() || !ids[i].present() || !program.value(ids[i]).type) return Shape();
    return program.value(ids[i]).type->shape;
  };
  ConvolutionShapes shapes;
  const Shape a = shape(operation.inputs, 0), b = shape(operation.inputs, 1), out = shape(operation.outputs, 0);
  if (work == Work::convolution) shapes = {a, b, out};
  if (work == Work::grad_data) shapes = {out, b, a};
  if (work == Work::grad_weights) shapes = {a, out, b};
  const int rank = shapes.x.rank();
  if (rank < 3 || shapes.weights.rank() != rank || shapes.y.rank() != rank) return std::nullopt;
  return shapes;
}

bool all_are(const std::vector<int64_t>& numbers, int64_t one) {
  for (const int64_t number : numbers)
    if (number != one) return false;
  return true;
}

ProductShape convolution_product(const ConvolutionShapes& shapes, const Attributes& attributes, Work work) {
  const Shape& weights = shapes.weights;
  const int rank = weights.rank();
  const double groups = double(std::max<int64_t>(1, attributes.integer("group", 1)));
  const double kernels = double(weights[0]) / groups, channels = double(weights[1]);
  const double taps = double(weights.elements(2, rank).value());
  const double batch = double(shapes.y[0]);
  const double outputs = batch * double(shapes.y.elements(2, rank).value());
  const double inputs = batch * double(shapes.x.elements(2, rank).value());
  ProductShape product{.groups = groups, .taps = taps, .channels = channels};
  product.transforms = groups == 1 && rank == 4 && (weights[2] == 3 || weights[2] == 5) && weights[3] == weights[2] &&
                       all_are(attributes.integers("strides"), 1) && all_are(attributes.integers("dilations"), 1);
  if (work == Work::convolution) {
    product.rows = kernels, product.columns = outputs, product.depth = channels * taps;
  } else if (work == Work::grad_data) {
    product.rows = channels, product.columns = inputs, product.depth = kernels * taps;
  } else {
    product.rows = kernels, product.columns = channels * taps, product.depth = outputs;
  }
  return product;
}

int64_t largest(const std::vector<int64_t>& numbers) {
  return numbers.empty() ? 1 : std::max<int64_t>(1, *std::max_element(numbers.begin(), numbers.end()));
}

std::optional<ConvLayer> conv_layer(const ConvolutionShapes& shapes, const Attributes& attributes) {
  const Shape &weights = shapes.weights, &y = shapes.y;
  if (weights.rank() != 4) return std::nullopt;
  ConvLayer layer;
  layer.square = weights[2] == weights[3];
  layer.kernel = std::llround(std::sqrt(double(weights[2]) * double(weights[3])));
  layer.stride = largest(attributes.integers("strides"));
  layer.dilation = largest(attributes.integers("dilations"));
  layer.groups = std::max<int64_t>(1, attributes.integer("group", 1));
  layer.in = std::max<int64_t>(1, weights[1]);
  layer.out = std::max<int64_t>(1, weights[0] / layer.groups);
  layer.batch = y[0], layer.height = y[2], layer.width = y[3];
  return layer.kernel > 0 && layer.places() > 0 ? std::optional(layer) : std::nullopt;
}

// Rows and columns of the output, and what is summed over for each of its numbers.
ProductShape plain_product(const Program& program, const Operation& operation) {
  ProductShape product;
  const auto& type = program.value(operation.outputs.at(0)).type;
  if (!type) return product;
  const Shape& shape = type->shape;
  const double size = std::max(1.0, elements(program, operation.outputs.at(0)));
  product.rows = shape.rank() > 0 ? double(std::max<int64_t>(1, shape[shape.rank() - 1])) : 1;
  product.columns = size / product.rows;
  product.depth = std::max(1.0, double(operation.cost.macs.value()) / size);
  product.channels = product.depth;
  // Where both operands have axes before the last two, each of their matrices is a product of its own.
  const bool has_right = operation.inputs.size() > 1 && operation.inputs[1].present();
  const auto right = has_right ? program.value(operation.inputs[1]).type : std::nullopt;
  if (shape.rank() > 2 && right && right->shape.rank() == shape.rank())
    product.batches = double(std::max<int64_t>(1, shape.elements(0, shape.rank() - 2).value()));
  return product;
}

bool is_fused_attention(const Operation& operation) {
  const OpKind kind = operation.op ? operation.op->kind : OpKind::other;
  if (kind == OpKind::attention) return operation.attributes.integer("fused", 0) != 0;
  return kind == OpKind::fused_attention || kind == OpKind::fused_attention_grad;
}

// As two products of the scores' shape: queries × width × columns. A gradient has more flops, of the same shape.
ProductShape attention_product(const Program& program, const Operation& operation) {
  const bool grad = operation.op->kind == OpKind::fused_attention_grad || operation.op_name.ends_with("_grad");
  for (const size_t input : {size_t(grad ? 1 : 0), size_t(grad ? 2 : 1)})
    if (input >= operation.inputs.size() || !operation.inputs[input].present()) return {};
  const auto& q = program.value(operation.inputs.at(grad ? 1 : 0)).type;
  const auto& k = program.value(operation.inputs.at(grad ? 2 : 1)).type;
  if (!q || !k) return {};
  const int rank = q->shape.rank();
  // Heads have an axis of their own, or lie side by side in the last.
  const auto heads = double(operation.op->kind == OpKind::attention ? operation.attributes.integer("num_heads", 1) : 1);
  const auto shared = double(
      operation.op->kind == OpKind::attention ? operation.attributes.integer("kv_num_heads", int64_t(heads)) : 1);
  ProductShape product;
  product.rows = double(k->shape[rank - 1]) / shared;
  product.depth = double(q->shape[rank - 1]) / heads;
  product.batches = double(q->shape.elements(0, rank - 2).value()) * heads;
  product.columns = double(q->shape[rank - 2]) * product.batches;
  const double once = product.rows * product.columns * product.depth;
  product.groups = std::max(1.0, double(operation.cost.macs.value()) / std::max(once, 1.0));
  product.channels = product.depth;
  return product;
}

DType dtype_of(const Program& program, const Operation& operation) {
  for (const auto* ids : {&operation.outputs, &operation.inputs})
    for (const ValueId id : *ids)
      if (id.present() && program.value(id).type && is_floating(program.value(id).type->dtype))
        return program.value(id).type->dtype;
  return DType::f32;
}

double row_of(const Program& program, const Operation& operation) {
  if (operation.outputs.empty() || !operation.outputs[0].present()) return 0;
  const auto& type = program.value(operation.outputs[0]).type;
  return type && type->shape.rank() > 0 ? double(type->shape[type->shape.rank() - 1]) : 0;
}

// Of images: the second axis, before their planes.
double channels_of(const Program& program, const Operation& operation) {
  for (const ValueId id : operation.inputs) {
    if (!id.present() || !program.value(id).type) continue;
    const Shape& shape = program.value(id).type->shape;
    if (shape.rank() > 1) return double(shape[1]);
  }
  return 0;
}

// Planes of images that an operation enlarges or shrinks between their pixels; 0: none.
double interpolated_planes(const Program& program, const Operation& operation) {
  const bool resizes = operation.op_name == "resize" || operation.op_name == "upsample";
  if (!resizes || operation.attributes.text("mode", "nearest") != "linear" || operation.outputs.empty()) return 0;
  const auto& type = program.value(operation.outputs[0]).type;
  return type && type->shape.rank() == 4 ? double(type->shape.elements(0, 2).value()) : 0;
}

TimedOperation timed(const Program& program, const Operation& operation) {
  TimedOperation result{.work = work_of(operation), .phase = operation.phase, .dtype = dtype_of(program, operation)};
  if (result.work == Work::nothing) return result;
  for (const ValueId id : operation.inputs)
    if (id.present() && program.value(id).role == Role::input) result.reads_input = true;
  result.flops = double(operation.cost.flops.value());
  result.bytes = double(operation.moved.value());
  result.repeat = double(operation.repeat.value());
  result.norm = norm_of(operation);
  if (result.norm == Norm::batch) result.channels = channels_of(program, operation);
  if (operation.op && operation.op->kind == OpKind::softmax) result.channels = row_of(program, operation);
  if (result.work == Work::element) result.channels = interpolated_planes(program, operation);
  result.part = operation.op && operation.op->strided_view;
  result.rearranges = result.work == Work::element && operation.op != nullptr && !operation.op->elementwise;
  if (result.work == Work::convolution || result.work == Work::grad_data || result.work == Work::grad_weights) {
    const auto shapes = convolution_shapes(program, operation, result.work);
    if (shapes) {
      result.product = convolution_product(*shapes, operation.attributes, result.work);
      result.conv = conv_layer(*shapes, operation.attributes);
    } else {
      result.product = plain_product(program, operation);
    }
  } else if (result.work == Work::product && is_fused_attention(operation)) {
    result.product = attention_product(program, operation);
    result.attends = true;
  } else if (result.work == Work::product) {
    result.product = plain_product(program, operation);
  }
  return result;
}

// An update reads its parameter first and its gradient second.
std::vector<TimedGradient> gradients_of(const Program& program) {
  std::vector<size_t> producer(program.values.size(), 0);
  std::vector<TimedGradient> gradients;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (operation.phase == Phase::update && operation.inputs.size() > 1) {
      const auto& type = program.value(operation.inputs[0]).type;
      if (type) gradients.push_back({producer[size_t(operation.inputs[1].index)], double(type->bytes().value())});
    }
    for (const ValueId id : operation.outputs)
      if (id.present()) producer[size_t(id.index)] = i;
  }
  return gradients;
}

// Keys and values of earlier tokens, handed back longer by this step's: inputs that are joined with new numbers to give
// an output, and those outputs. They stay on the device from step to step.
std::set<int32_t> cache_of(const Program& program) {
  const std::set<ValueId> inputs(program.inputs.begin(), program.inputs.end());
  const std::set<ValueId> outputs(program.outputs.begin(), program.outputs.end());
  std::map<int32_t, std::vector<int32_t>> joined;  // a value → the inputs that it is an extension of
  std::set<int32_t> cache;
  for (const auto& operation : program.operations) {
    const bool joins = operation.op_name == "concat" && operation.inputs.size() == 2,
               passes = operation.op && operation.op->storage == Storage::view;
    if ((!joins && !passes) || operation.outputs.empty() || !operation.outputs[0].present()) continue;
    auto& own = joined[operation.outputs[0].index];
    for (const ValueId id : operation.inputs) {
      const auto& type = id.present() ? program.value(id).type : std::nullopt;
      if (joins && type && is_floating(type->dtype) && type->shape.rank() >= 3 && inputs.contains(id))
        own.push_back(id.index);
      if (passes && id.present())
        if (const auto before = joined.find(id.index); before != joined.end())
          own.insert(own.end(), before->second.begin(), before->second.end());
    }
    if (own.empty() || !outputs.contains(operation.outputs[0])) continue;
    cache.insert(own.begin(), own.end());
    cache.insert(operation.outputs[0].index);
  }
  return cache;
}

}  // namespace

MemoryBound memory_bound_of(const TimedOperation& operation) {
  const bool back = operation.phase == Phase::backward;
  switch (operation.work) {
    case Work::normalise: return back ? MemoryBound::normalise_grad : MemoryBound::normalise;
    case Work::pool: return back ? MemoryBound::pool_grad : MemoryBound::pool;
    case Work::product: return MemoryBound::product;
    case Work::update: return MemoryBound::update;
    default: return MemoryBound::element;
  }
}

Work work_of(const Operation& operation) {
  if (operation.phase == Phase::update) return Work::update;
  const OpKind kind = operation.op ? operation.op->kind : OpKind::other;
  if (operation.op && operation.op->storage == Storage::view) return Work::nothing;
  if (kind == OpKind::conv_grad_data || kind == OpKind::conv_transpose) return Work::grad_data;
  if (kind == OpKind::conv_grad_weights) return Work::grad_weights;
  if (operation.cost.macs.value() > 0) return kind == OpKind::convolution ? Work::convolution : Work::product;
  if (operation.moved.value() == 0) return Work::nothing;
  switch (kind) {
    case OpKind::nothing: return Work::nothing;
    case OpKind::batch_norm:
    case OpKind::norm:
    case OpKind::softmax:
    case OpKind::softmax_loss: return Work::normalise;
    case OpKind::pool: return Work::pool;
    case OpKind::loss:
    case OpKind::reduction: return Work::reduce;
    default: return Work::element;
  }
}

Norm norm_of(const Operation& operation) {
  if (work_of(operation) != Work::normalise) return Norm::none;
  return operation.op->kind == OpKind::batch_norm ? Norm::batch : Norm::row;
}

std::string_view name_of(Work work) { return kNames.at(size_t(work)); }

TimedProgram timed(const Program& program) {
  TimedProgram result{.micro_batches = double(program.micro_batches)};
  result.operations.reserve(program.operations.size());
  for (const auto& operation : program.operations) {
    result.operations.push_back(timed(program, operation));
    if (operation.phase == Phase::backward) result.trains = true;
  }
  result.gradients = gradients_of(program);
  for (const auto& value : program.values) {
    if (value.role != Role::parameter || !value.type) continue;
    result.parameters += double(value.type->elements().value());
    result.parameter_bytes += double(value.type->bytes().value());
    result.parameter_tensors += 1;
  }
  const std::set<int32_t> stays = cache_of(program);
  for (const ValueId id : program.inputs)
    if (program.value(id).type && !stays.contains(id.index))
      result.input_bytes += double(program.value(id).type->bytes().value());
  for (const ValueId id : program.outputs)
    if (program.value(id).type && !stays.contains(id.index))
      result.output_bytes += double(program.value(id).type->bytes().value());
  return result;
}

}  // namespace plimsoll
