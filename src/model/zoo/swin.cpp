// Swin transformers (Liu 2021): attention inside windows of 7×7, which every second layer shifts by half a
// window, so that neighbours meet. Images stay channels-last throughout.
#include <fmt/format.h>

#include <array>

#include "model/zoo/all_models.h"
#include "model/zoo/attention.h"

namespace plimsoll {
namespace {

constexpr int64_t kWindow = 7, kTokens = kWindow * kWindow;

struct Config {
  int64_t width;  // of the first stage; each next one is twice as wide
  std::array<int64_t, 4> blocks, heads;
};

struct Image {
  int64_t height, columns;
};

// How a stage's image is cut into windows, and what its shifted layers share.
struct Windows {
  Image image, padded;
  int64_t down, across;
  Image shift;        // nothing to meet where one window is all
  ValueId mask = {};  // for shifted layers; absent where there is no shift

  bool shifts() const { return shift.height > 0 || shift.columns > 0; }
};

int64_t round_up(int64_t size, int64_t multiple) { return (size + multiple - 1) / multiple * multiple; }

ValueId cut(Builder& b, const std::string& name, ValueId x, const Sizes& starts, const Sizes& ends,
            const Sizes& steps = {1, 1}) {
  return b.apply(
      name, "slice",
      {x, b.constant(name + ".starts", integer_tensor(starts)), b.constant(name + ".ends", integer_tensor(ends)),
       b.constant(name + ".axes", integer_tensor({1, 2})), b.constant(name + ".steps", integer_tensor(steps))});
}

// Adds empty rows and columns at the end until both sizes are multiples.
ValueId pad_to(Builder& b, const std::string& name, ValueId x, Image image, int64_t multiple) {
  const int64_t rows = round_up(image.height, multiple) - image.height;
  const int64_t columns = round_up(image.columns, multiple) - image.columns;
  if (rows == 0 && columns == 0) return x;
  return b.apply(name, "pad", {x, b.constant(name + ".pads", integer_tensor({0, 0, 0, 0, 0, rows, columns, 0}))});
}

// The image moved up and left by `shift`, what falls off coming back at the other side.
ValueId roll(Builder& b, const std::string& name, ValueId x, Image image, Image shift) {
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
Tensor relative_positions() {
  std::vector<int64_t> rows;
  for (int64_t from = 0; from < kTokens; ++from)
    for (int64_t to = 0; to < kTokens; ++to) {
      const int64_t down = from / kWindow - to / kWindow + kWindow - 1;
      const int64_t right = from % kWindow - to % kWindow + kWindow - 1;
      rows.push_back(down * (2 * kWindow - 1) + right);
    }
  return integer_tensor(rows);
}

// Windows × 1 × tokens × tokens: after a shift, tokens that come from different sides of the image ignore each other.
Tensor shift_mask(Image image, Image shift) {
  const auto side = [](int64_t place, int64_t size, int64_t moved) {
    if (moved == 0 || place < size - kWindow) return 0;
    return place < size - moved ? 1 : 2;
  };
  std::vector<float> mask;
  for (int64_t top = 0; top < image.height; top += kWindow)
    for (int64_t left = 0; left < image.columns; left += kWindow) {
      std::array<int, kTokens> region{};
      for (int64_t i = 0; i < kTokens; ++i)
        region[size_t(i)] = 3 * side(top + i / kWindow, image.height, shift.height) +
                            side(left + i % kWindow, image.columns, shift.columns);
      for (const int from : region)
        for (const int to : region) mask.push_back(from == to ? 0.0F : -100.0F);
    }
  return float_tensor({int64_t(mask.size()) / (kTokens * kTokens), 1, kTokens, kTokens}, mask);
}

// A stage's windows. Its mask grows with the square of the image's size: a user's odd --input ends here.
Windows windows_of(Builder& b, Image image) {
  constexpr int64_t kMost = 4096;
  Windows windows{image, {round_up(image.height, kWindow), round_up(image.columns, kWindow)}, 0, 0, {}};
  windows.down = windows.padded.height / kWindow;
  windows.across = windows.padded.columns / kWindow;
  windows.shift = {windows.down > 1 ? kWindow / 2 : 0, windows.across > 1 ? kWindow / 2 : 0};
  if (windows.down > kMost || windows.across > kMost || windows.down * windows.across > kMost) {
    b.fail(user_error(
        fmt::format("the image makes {}x{} windows, expected at most {} in all", windows.down, windows.across, kMost)));
  } else if (windows.shifts()) {
    windows.mask = b.constant("shift_mask", shift_mask(windows.padded, windows.shift));
  }
  return windows;
}

ValueId window_attention(Builder& b, ValueId x, const Windows& windows, int64_t width, int64_t heads, bool shifted) {
  const auto scope = b.enter("attn");
  const auto& [image, padded, down, across, stage_shift, stage_mask] = windows;
  const Image shift = shifted ? stage_shift : Image{0, 0};
  x = roll(b, "shift", pad_to(b, "pad", x, image, kWindow), padded, shift);
  x = b.transpose("windows.transpose", b.reshape("windows.split", x, {0, down, kWindow, across, kWindow, width}),
                  {0, 1, 3, 2, 4, 5});
  x = b.reshape("windows", x, {-1, kTokens, width});

  const ValueId table = b.parameter("relative_position_bias_table", {(2 * kWindow - 1) * (2 * kWindow - 1), heads});
  ValueId mask = b.apply("bias", "gather", {table, b.constant("relative_position_index", relative_positions())});
  mask = b.transpose("bias.transpose", b.reshape("bias.reshape", mask, {kTokens, kTokens, heads}), {2, 0, 1});
  const bool masked = shifted && stage_mask.present();
  if (masked) mask = b.add("bias.mask", mask, stage_mask);

  const auto qkv = project_qkv(b, "qkv", x, width);
  x = attention(
      b, qkv[0], qkv[1], qkv[2],
      {.width = width, .heads = heads, .mask = mask, .groups = masked ? down * across : 1, .tokens = kTokens});
  x = b.linear("proj", x, width);
  x = b.transpose("merge.transpose", b.reshape("merge.split", x, {-1, down, across, kWindow, kWindow, width}),
                  {0, 1, 3, 2, 4, 5});
  x = b.reshape("merge", x, {-1, padded.height, padded.columns, width});
  const Image back{(padded.height - shift.height) % padded.height, (padded.columns - shift.columns) % padded.columns};
  x = roll(b, "unshift", x, padded, back);
  const bool grown = padded.height != image.height || padded.columns != image.columns;
  return grown ? cut(b, "crop", x, {0, 0}, {image.height, image.columns}) : x;
}

ValueId block(Builder& b, ValueId x, const Windows& windows, int64_t width, int64_t heads, bool shifted) {
  x = b.add("add_1", x, window_attention(b, b.layer_norm("norm1", x), windows, width, heads, shifted));
  ValueId y = b.linear("mlp.0", b.layer_norm("norm2", x), 4 * width);
  y = b.linear("mlp.3", b.apply("mlp.1", "gelu", {y}), width);
  return b.add("add_2", x, y);
}

// Four neighbours become one pixel of four times the channels, then of twice.
ValueId merge_patches(Builder& b, ValueId x, Image image, int64_t width) {
  x = pad_to(b, "pad", x, image, 2);
  const Sizes end{round_up(image.height, 2), round_up(image.columns, 2)}, step{2, 2};
  std::vector<ValueId> corners;
  for (const int64_t column : {0, 1})
    for (const int64_t row : {0, 1})
      corners.push_back(cut(b, fmt::format("corner{}{}", row, column), x, {row, column}, end, step));
  return b.linear("reduction", b.layer_norm("norm", b.concat("concat", corners, 3)), 2 * width, false);
}

Result<Graph> build(const ZooModel& self, const Shape& input, int64_t classes, const Config& config) {
  Builder b(std::string(self.name), input);
  int64_t width = config.width;
  ValueId x = b.conv("features.0.0", b.input(), width, {.kernel = {4, 4}, .stride = {4, 4}});
  x = b.layer_norm("features.0.2", b.transpose("features.0.1", x, {0, 2, 3, 1}));
  if (b.failed()) return b.finish(x);
  Image image{input[1] / 4, input[2] / 4};
  for (size_t stage = 0; stage < config.blocks.size(); ++stage) {
    if (stage > 0) {
      const auto scope = b.enter(fmt::format("features.{}", 2 * stage));
      x = merge_patches(b, x, image, width);
      image = {(image.height + 1) / 2, (image.columns + 1) / 2};
      width *= 2;
    }
    const auto scope = b.enter(fmt::format("features.{}", 2 * stage + 1));
    const Windows windows = windows_of(b, image);
    if (b.failed()) return b.finish(x);
    for (int64_t i = 0; i < config.blocks[stage]; ++i) {
      const auto inner = b.enter(std::to_string(i));
      x = block(b, x, windows, width, config.heads[stage], i % 2 == 1);
    }
  }
  x = b.transpose("permute", b.layer_norm("norm", x), {0, 3, 1, 2});
  return b.finish(b.linear("head", b.flatten("flatten", b.global_average_pool("avgpool", x)), classes));
}

constexpr Config kTiny{96, {2, 2, 6, 2}, {3, 6, 12, 24}}, kSmall{96, {2, 2, 18, 2}, {3, 6, 12, 24}};
constexpr Config kBase{128, {2, 2, 18, 2}, {4, 8, 16, 32}};

}  // namespace

std::vector<ZooModel> swin_models() {
  return {configured<build, kTiny>("swin_t", "Swin transformer, tiny (Liu 2021)"),
          configured<build, kSmall>("swin_s", "Swin transformer, small (Liu 2021)"),
          configured<build, kBase>("swin_b", "Swin transformer, base (Liu 2021)")};
}

}  // namespace plimsoll
