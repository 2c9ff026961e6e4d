#include "model/ops/window.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;  // of a kernel, stride, dilation or pad: keeps products in 64 bits
constexpr int64_t kLargestInput = int64_t{1} << 61;

Result<std::vector<int64_t>> read(const Attributes& attributes, std::string_view name, size_t count, int64_t fallback,
                                  int64_t smallest) {
  auto numbers = attributes.integers(name);
  if (numbers.empty()) numbers.assign(count, fallback);
  if (numbers.size() != count)
    return user_error(fmt::format("{} has {} numbers, expected {}", name, numbers.size(), count));
  for (const int64_t number : numbers)
    if (number < smallest || number > kLargest)
      return user_error(
          fmt::format("{} is {}, expected numbers from {} to {}", name, fmt::join(numbers, "x"), smallest, kLargest));
  return numbers;
}

// auto_pad SAME_*: an output of ceil(size / stride), the odd pixel of padding at the named side.
void pad_same(Window& window, const Shape& input, bool extra_at_end) {
  for (int axis = 0; axis < window.axes(); ++axis) {
    const auto a = size_t(axis);
    const int64_t size = input[axis + 2];
    const int64_t outputs = (size + window.stride[a] - 1) / window.stride[a];
    const int64_t total = std::max<int64_t>(0, (outputs - 1) * window.stride[a] + window.reach(axis) - size);
    const int64_t half = total / 2;
    window.pad_begin[a] = extra_at_end ? half : total - half;
    window.pad_end[a] = total - window.pad_begin[a];
  }
}

}  // namespace

Result<Window> read_window(const Attributes& attributes, const Shape& input, std::vector<int64_t> kernel) {
  const size_t axes = kernel.size();
  if (input.rank() != int(axes) + 2)
    return user_error(
        fmt::format("the input has the shape {}, expected batch, channels and {} spatial sizes for a kernel of {}",
                    input.text(), axes, fmt::join(kernel, "x")));
  for (const int64_t k : kernel)
    if (k < 1 || k > kLargest)
      return user_error(fmt::format("the kernel is {}, expected sizes of at least 1", fmt::join(kernel, "x")));
  for (int axis = 2; axis < input.rank(); ++axis)
    if (input[axis] > kLargestInput) return user_error(fmt::format("an input of {} is too large", input.text()));
  Window window;
  window.kernel = std::move(kernel);
  PLIM_ASSIGN(window.stride, read(attributes, "strides", axes, 1, 1));
  PLIM_ASSIGN(window.dilation, read(attributes, "dilations", axes, 1, 1));
  PLIM_ASSIGN(std::vector<int64_t> pads, read(attributes, "pads", 2 * axes, 0, 0));
  window.pad_begin.assign(pads.begin(), pads.begin() + int64_t(axes));
  window.pad_end.assign(pads.begin() + int64_t(axes), pads.end());
  for (int axis = 0; axis < int(axes); ++axis)
    if (window.reach(axis) > kLargest) return user_error("kernel times dilation is too large");
  const std::string mode = attributes.text("auto_pad", "NOTSET");
  if (mode == "VALID") {
    window.pad_begin.assign(axes, 0);
    window.pad_end.assign(axes, 0);
  } else if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    pad_same(window, input, mode == "SAME_UPPER");
  } else if (mode != "NOTSET" && !mode.empty()) {
    return user_error("auto_pad is not one of NOTSET, VALID, SAME_UPPER, SAME_LOWER");
  }
  return window;
}

Result<std::vector<int64_t>> window_output(const Window& window, const Shape& input, bool ceil_mode) {
  std::vector<int64_t> sizes;
  for (int axis = 0; axis < window.axes(); ++axis) {
    const auto a = size_t(axis);
    const int64_t room = input[axis + 2] + window.pad_begin[a] + window.pad_end[a] - window.reach(axis);
    const bool one_partial = ceil_mode && room < 0 && room > -window.stride[a] && input[axis + 2] > 0;
    if (one_partial) {  // rounding up, as torch: 2 pixels under a window of 3 give one output
      sizes.push_back(1);
      continue;
    }
    if (room < 0)
      return user_error(fmt::format("the kernel reaches over {} but the padded input is only {} (input {})",
                                    window.reach(axis), room + window.reach(axis), input.text()));
    int64_t size = room / window.stride[a] + 1;
    if (ceil_mode && room % window.stride[a] != 0 && size * window.stride[a] < input[axis + 2] + window.pad_begin[a])
      ++size;
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace plimsoll
