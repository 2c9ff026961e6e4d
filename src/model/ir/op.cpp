#include "model/ir/op.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

// A size of 0 excuses nothing: the product of the other sizes must fit too, and each must leave room
// to add and multiply by small numbers, so that no rule can overflow on a tensor that is empty.
constexpr int64_t kLargestSize = int64_t{1} << 52;

// More than any framework takes; shapes of thousands of axes only cost memory.
constexpr int kMostAxes = 64;

Status check_named(const TensorType& type, std::string_view which, size_t i) {
  auto status = check_type(type);
  if (status.ok()) return {};
  return user_error(fmt::format("{} {}: {}", which, i, status.error().what));
}

}  // namespace

Status check_type(const TensorType& type) {
  if (type.shape.rank() > kMostAxes)
    return user_error(fmt::format("a tensor has {} axes, expected at most {}", type.shape.rank(), kMostAxes));
  Count others(1);
  bool small = true;
  for (const int64_t dim : type.shape) {
    if (dim < 0) return user_error(fmt::format("the shape is {}, expected sizes of at least 0", type.shape.text()));
    others = others * std::max<int64_t>(dim, 1);
    small = small && dim <= kLargestSize;
  }
  if (!small || others.overflowed() || bytes_of(type.dtype, others).overflowed())
    return user_error(
        fmt::format("a tensor of shape {} has more bytes than a 64-bit count holds (overflow)", type.shape.text()));
  return {};
}

Result<std::optional<std::vector<int64_t>>> OpCall::integers(std::string_view attribute, size_t i) const {
  if (const Attribute* given = attributes.find(attribute)) {
    if (const auto* list = std::get_if<std::vector<int64_t>>(given)) return std::optional(*list);
    if (const auto* single = std::get_if<int64_t>(given)) return std::optional(std::vector<int64_t>{*single});
    return user_error(fmt::format("attribute {} is not a list of integers", in_quotes(attribute)));
  }
  if (!has(i)) return std::optional<std::vector<int64_t>>();
  const Tensor* known = constant(i);
  if (!known)
    return undetermined(
        fmt::format("input {} ({}) is not known before the run, so neither is the output's shape", i, attribute));
  if (is_floating(known->type.dtype) || known->type.dtype == DType::boolean)
    return user_error(
        fmt::format("input {} ({}) holds {}, expected integers", i, attribute, name_of(known->type.dtype)));
  return std::optional(known->integers());
}

Bytes bytes_moved(const Op& op, const OpCall& call) {
  if (op.storage == Storage::view) return Bytes(0);
  if (op.moved) return op.moved(call);
  Bytes bytes;
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.has(i)) bytes += call.type(i).bytes();
  for (const auto& output : call.outputs) bytes += output.bytes();
  return bytes;
}

Result<std::vector<TensorType>> infer(const Op& op, const OpCall& call) {
  for (size_t i = 0; i < op.required_inputs; ++i)
    if (!call.has(i))
      return user_error(fmt::format("input {} is missing, {} needs {}", i, op.name, op.required_inputs));
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.has(i)) PLIM_TRY(check_named(call.type(i), "input", i));
  PLIM_ASSIGN(std::vector<TensorType> outputs, op.infer(call));
  for (size_t i = 0; i < outputs.size(); ++i) PLIM_TRY(check_named(outputs[i], "output", i));
  if (outputs.size() < call.output_count())
    return user_error(fmt::format("{} outputs are asked for, {} has {}", call.output_count(), op.name, outputs.size()));
  return outputs;
}

}  // namespace plimsoll
