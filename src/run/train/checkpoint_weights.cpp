#include "run/train/checkpoint_weights.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

bool CheckpointWeights::has(const std::string& name) const {
  const StoredTensor* tensor = reader_.find(name);
  return tensor && tensor->type.dtype == DType::f32;
}

Status CheckpointWeights::read(const std::string& name, int64_t first, std::span<float> into) const {
  const StoredTensor* tensor = reader_.find(name);
  PLIM_CHECK(tensor != nullptr, name);
  return reader_.read_part(*tensor, first * int64_t(sizeof(float)), std::as_writable_bytes(into));
}

Status CheckpointWeights::check(const Program& program) const {
  for (const auto& value : program.values) {
    const bool stored = value.role == Role::parameter || value.role == Role::buffer;
    if (!stored || value.constant || !value.type) continue;
    const StoredTensor* tensor = reader_.find(value.name);
    if (!tensor) return user_error(fmt::format("has no tensor {}, which the network has", in_quotes(value.name)));
    if (tensor->type != *value.type)
      return user_error(fmt::format("tensor {} is {} of {}, the network's is {} of {}", in_quotes(value.name),
                                    tensor->type.shape.text(), name_of(tensor->type.dtype), value.type->shape.text(),
                                    name_of(value.type->dtype)));
  }
  return {};
}

}  // namespace plimsoll
