#include "model/build/windows.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

int64_t round_up(int64_t size, int64_t multiple) { return (size + multiple - 1) / multiple * multiple; }

ValueId cut(Builder& b, const std::string& name, ValueId x, const Sizes& starts, const Sizes& ends,
            const Sizes& steps = {1, 1}) {
  return b.apply(
      name, "slice",
      {x, b.constant(name + ".starts", integer_tensor(starts)), b.constant(name + ".ends", integer_tensor(ends)),
       b.constant(name + ".axes", integer_tensor({1, 2})), b.constant(name + ".steps", integer_tensor(steps))});
}

// Adds empty rows and columns at the end until both sizes are multiples.
ValueId pad_to(Builder& b, const std::string& name, ValueId x, ImageSize image, int64_t multiple) {
  const int64_t rows = round_up(image.height, multiple) - image.height;
  const int64_t columns = round_up(image.columns, multiple) - image.columns;
  if (rows == 0 && columns == 0) return x;
  return b.apply(name, "pad", {x, b.constant(name + ".pads", integer_tensor({0, 0, 0, 0, 0, rows, columns, 0}))});
}

// The image moved up and left by `shift`, what falls off coming back at the other side.
ValueId roll(Builder& b, const std::string& name, ValueId x, ImageSize image, ImageSize shift) {
  const auto part = [&](const std::string& part_name, int64_t row, int64_t column) {
    const Sizes starts{row == 0 ? shift.height : 0, column == 0 ? shift.columns : 0};
    const Sizes ends{row == 0 ? image.height : shift.height, column == 0 ? image.columns : shift.columns};
    return cut(b, name + part_name, x, starts, ends);
  };
  if (shift.height == 0 && shift.columns == 0) return x;
  if (shift.height == 0) return b.concat(name, {part(".left", 0, 0), part(".right", 0, 1)}, 2);
  if (shift.columns == 0) return b.concat(name, {part(".top", 0, 0), part(".bottom", 1, 0)}, 1);
  const ValueId top = b.concat(name + ".top", {part(".top_left", 0, 0), part(".top_right", 0, 1)}, 2);
  const ValueId bottom = b.concat(name + ".bottom", {part(".bottom_left", 1, 0), part(".bottom_right", 1, 1)}, 2);
  return b.concat(name, {top, bottom}, 1);
}

// For each pair of a window's tokens, the row of the table that holds the bias of their distance.
Tensor relative_positions(int64_t size) {
  const int64_t tokens = size * size;
  std::vector<int64_t> rows;
  for (int64_t from = 0; from < tokens; ++from)
    for (int64_t to = 0; to < tokens; ++to) {
      const int64_t down = from / size - to / size + size - 1;
      const int64_t right = from % size - to % size + size - 1;
      rows.push_back(down * (2 * size - 1) + right);
    }
  return integer_tensor(rows);
}

// Windows × 1 × tokens × tokens: after a shift, tokens that come from different sides of the image ignore each other.
Tensor shift_mask(ImageSize image, ImageSize shift, int64_t size) {
  const int64_t tokens = size * size;
  const auto side = [size](int64_t place, int64_t whole, int64_t moved) {
    if (moved == 0 || place < whole - size) return 0;
    return place < whole - moved ? 1 : 2;
  };
  std::vector<float> mask;
  for (int64_t top = 0; top < image.height; top += size)
    for (int64_t left = 0; left < image.columns; left += size) {
      std::vector<int> region(size_t(tokens), 0);
      for (int64_t i = 0; i < tokens; ++i)
        region[size_t(i)] =
            3 * side(top + i / size, image.height, shift.height) + side(left + i % size, image.columns, shift.columns);
      for (const int from : region)
        for (const int to : region) mask.push_back(from == to ? 0.0F : -100.0F);
    }
  return float_tensor({int64_t(mask.size()) / (tokens * tokens), 1, tokens, tokens}, mask);
}

ImageSize shift_of(const Windows& windows, bool shifted) { return shifted ? windows.shift : ImageSize{0, 0}; }

}  // namespace

// The mask grows with the square of the image's size: a user's odd --input ends here.
Windows windows_of(Builder& b, ImageSize image, int64_t size) {
  constexpr int64_t kMost = 4096;
  Windows windows{size, image, {round_up(image.height, size), round_up(image.columns, size)}, 0, 0, {}};
  windows.down = windows.padded.height / size;
  windows.across = windows.padded.columns / size;
  windows.shift = {windows.down > 1 ? size / 2 : 0, windows.across > 1 ? size / 2 : 0};
  if (windows.down > kMost || windows.across > kMost || windows.down * windows.across > kMost) {
    b.fail(user_error(
        fmt::format("the image makes {}x{} windows, expected at most {} in all", windows.down, windows.across, kMost)));
  } else if (windows.shifts()) {
    windows.mask = b.constant("shift_mask", shift_mask(windows.padded, windows.shift, size));
  }
  return windows;
}

ValueId into_windows(Builder& b, ValueId x, const Windows& windows, int64_t width, bool shifted) {
  x = roll(b, "shift", pad_to(b, "pad", x, windows.image, windows.size), windows.padded, shift_of(windows, shifted));
  x = b.transpose("windows.transpose",
                  b.reshape("windows.split", x, {0, windows.down, windows.size, windows.across, windows.size, width}),
                  {0, 1, 3, 2, 4, 5});
  return b.reshape("windows", x, {-1, windows.tokens(), width});
}

ValueId out_of_windows(Builder& b, ValueId x, const Windows& windows, int64_t width, bool shifted) {
  const auto& [size, image, padded, down, across, stage_shift, mask] = windows;
  x = b.transpose("merge.transpose", b.reshape("merge.split", x, {-1, down, across, size, size, width}),
                  {0, 1, 3, 2, 4, 5});
  x = b.reshape("merge", x, {-1, padded.height, padded.columns, width});
  const ImageSize shift = shift_of(windows, shifted);
  const ImageSize back{(padded.height - shift.height) % padded.height,
                       (padded.columns - shift.columns) % padded.columns};
  x = roll(b, "unshift", x, padded, back);
  const bool grown = padded.height != image.height || padded.columns != image.columns;
  return grown ? cut(b, "crop", x, {0, 0}, {image.height, image.columns}) : x;
}

ValueId bias_from_table(Builder& b, ValueId table, const Windows& windows, int64_t heads) {
  const int64_t tokens = windows.tokens();
  const ValueId bias =
      b.apply("bias", "gather", {table, b.constant("relative_position_index", relative_positions(windows.size))});
  return b.transpose("bias.transpose", b.reshape("bias.reshape", bias, {tokens, tokens, heads}), {2, 0, 1});
}

ValueId window_bias(Builder& b, const std::string& name, const Windows& windows, int64_t heads, bool shifted) {
  const int64_t rows = 2 * windows.size - 1;
  const ValueId bias = bias_from_table(b, b.parameter(name, {rows * rows, heads}), windows, heads);
  return shifted && windows.mask.present() ? b.add("bias.mask", bias, windows.mask) : bias;
}

ValueId gather_corners(Builder& b, ValueId x, ImageSize image) {
  x = pad_to(b, "pad", x, image, 2);
  const Sizes end{round_up(image.height, 2), round_up(image.columns, 2)}, step{2, 2};
  std::vector<ValueId> corners;
  for (const int64_t column : {0, 1})
    for (const int64_t row : {0, 1})
      corners.push_back(cut(b, fmt::format("corner{}{}", row, column), x, {row, column}, end, step));
  return b.concat("concat", corners, 3);
}

}  // namespace plimsoll
