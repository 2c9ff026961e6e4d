#include "model/onnx/stored_tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "base/half.h"
#include "model/onnx/dense_numbers.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestTable = 4 << 20;  // bytes that are looked at
constexpr float kHides = -99;

float number_at(const std::string& bytes, DType type, size_t i) {
  if (type == DType::f32) {
    float number = 0;
    std::memcpy(&number, &bytes[i * 4], 4);
    return number;
  }
  uint16_t bits = 0;
  std::memcpy(&bits, &bytes[i * 2], 2);
  return type == DType::f16 ? from_f16(bits) : from_bf16(bits);
}

// Zeros and one other number that hides.
bool is_mask(std::span<const float> numbers, bool made_up) {
  float hides = 0;
  for (const float number : numbers) {
    if (number == 0) continue;
    if (!(number < kHides) || (hides != 0 && number != hides)) return false;
    hides = number;
  }
  return hides != 0 || made_up;
}

// Rows of cosines or sines, the first of the angle 0.
bool is_circular(std::span<const float> numbers, size_t row) {
  if (row < 2 || numbers.size() < 2 * row) return false;
  const float first = numbers[0];
  if (first != 0 && first != 1) return false;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!(std::abs(numbers[i]) <= 1) || (i < row && numbers[i] != first)) return false;
  return numbers[row] != first;
}

// Sines beside cosines of the same angles along an axis: one and one in turn, or half of them and half.
bool is_circular_along(std::span<const float> numbers, const Shape& shape, int axis) {
  constexpr double kExact = 1e-2;
  const int64_t size = shape[axis], block = shape.elements(axis + 1, shape.rank()).value();
  if (size < 2 || size % 2 != 0) return false;
  const auto all = [&](int64_t step, int64_t apart) {
    for (int64_t start = 0; start < int64_t(numbers.size()); start += size * block)
      for (int64_t k = 0; k < size / 2; ++k)
        for (int64_t i = 0; i < block; ++i) {
          const float one = numbers[size_t(start + k * step * block + i)],
                      two = numbers[size_t(start + (k * step + apart) * block + i)];
          if (!(std::abs(double(one) * one + double(two) * two - 1) < kExact)) return false;
        }
    return true;
  };
  return all(2, 1) || all(1, size / 2);
}

bool has_circular_pairs(std::span<const float> numbers, const Shape& shape) {
  if (numbers.size() < 8) return false;
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (is_circular_along(numbers, shape, axis)) return true;
  return false;
}

// The numbers of a small tensor, where they are there.
std::optional<std::vector<float>> numbers_of(const onnx::TensorProto& tensor, const TensorType& type,
                                             const TensorFiles& files) {
  const bool readable = type.dtype == DType::f32 || type.dtype == DType::f16 || type.dtype == DType::bf16;
  if (!readable || type.bytes() > Bytes(kLargestTable)) return std::nullopt;
  const auto stored = DenseNumbers::open(tensor, type, files);
  std::string bytes(size_t(type.bytes().value()), '\0');
  if (!stored || bytes.empty() || !stored->read(0, bytes)) return std::nullopt;
  std::vector<float> numbers;
  numbers.reserve(size_t(stored->count()));
  for (size_t i = 0; i < size_t(stored->count()); ++i) numbers.push_back(number_at(bytes, type.dtype, i));
  return numbers;
}

}  // namespace

bool is_table(const onnx::TensorProto& tensor, const TensorType& type, const TensorFiles& files, bool made_up) {
  if (type.shape.rank() < 2) return false;
  const auto numbers = numbers_of(tensor, type, files);
  if (!numbers) return false;
  const bool pairs = type.shape[type.shape.rank() - 2] > 1 && type.shape[type.shape.rank() - 1] > 1;
  return is_mask(*numbers, made_up && pairs) || is_circular(*numbers, size_t(type.shape[type.shape.rank() - 1])) ||
         has_circular_pairs(*numbers, type.shape);
}

bool is_all_ones(const onnx::TensorProto& tensor, const TensorType& type, const TensorFiles& files) {
  const auto numbers = numbers_of(tensor, type, files);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](float number) { return number == 1; });
}

bool is_made_up_name(std::string_view name) {
  if (name.find("::") != std::string_view::npos) return true;
  // The first that an operation has left: the second is "unsqueeze_1".
  constexpr std::string_view kOperations[] = {
      "add",     "cat",    "clone",   "cos", "div",   "exp",   "expand", "index",     "mul",       "permute",
      "reshape", "select", "sigmoid", "sin", "slice", "stack", "sub",    "transpose", "unsqueeze", "view"};
  if (std::find(std::begin(kOperations), std::end(kOperations), name) != std::end(kOperations)) return true;
  const size_t number = name.rfind('_');
  if (name.find('.') != std::string_view::npos || number == std::string_view::npos) return false;
  return number + 1 < name.size() && name.find_first_not_of("0123456789", number + 1) == std::string_view::npos;
}

}  // namespace plimsoll
