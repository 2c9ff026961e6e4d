#include "run/data/augmented.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/rows/named.h"
#include "base/text.h"
#include "model/ops/counter_random.h"

namespace plimsoll {
namespace {

// Where a new pixel comes from: the old place relative to the middle is this matrix times the new one.
struct Affine {
  double xx = 1, xy = 0, yx = 0, yy = 1;
};

float at(std::span<const float> plane, int64_t width, int64_t height, double x, double y) {
  x = std::clamp(x, 0.0, double(width - 1));
  y = std::clamp(y, 0.0, double(height - 1));
  const auto left = int64_t(x), top = int64_t(y);
  const int64_t right = std::min(left + 1, width - 1), bottom = std::min(top + 1, height - 1);
  const auto u = float(x - double(left)), v = float(y - double(top));
  const auto pixel = [&](int64_t column, int64_t row) { return plane[size_t(row * width + column)]; };
  return (1 - v) * ((1 - u) * pixel(left, top) + u * pixel(right, top)) +
         v * ((1 - u) * pixel(left, bottom) + u * pixel(right, bottom));
}

void warp(std::span<const float> from, const Shape& shape, const Affine& map, std::span<float> into) {
  const int64_t height = shape[1], width = shape[2];
  const double middle_x = double(width - 1) / 2, middle_y = double(height - 1) / 2;
  const auto plane = size_t(height * width);
  for (size_t c = 0; c < size_t(shape[0]); ++c)
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        const double dx = double(x) - middle_x, dy = double(y) - middle_y;
        into[c * plane + size_t(y * width + x)] =
            at(from.subspan(c * plane, plane), width, height, map.xx * dx + map.xy * dy + middle_x,
               map.yx * dx + map.yy * dy + middle_y);
      }
}

void move_and_mirror(std::span<const float> from, const Shape& shape, int64_t right, int64_t down, bool mirror,
                     std::span<float> into) {
  const int64_t height = shape[1], width = shape[2];
  for (int64_t row = 0; row < shape[0] * height; ++row) {
    float* out = &into[size_t(row * width)];
    const int64_t y = row % height - down;
    if (y < 0 || y >= height) {
      std::fill(out, out + width, 0.0F);
      continue;
    }
    const float* in = &from[size_t((row - down) * width)];
    for (int64_t x = 0; x < width; ++x) {
      const int64_t old = x - right;
      out[x] = old < 0 || old >= width ? 0.0F : in[mirror ? width - 1 - old : old];
    }
  }
}

class Augmented : public DatasetAround {
 public:
  Augmented(DatasetPtr inner, const Augmentations& how, uint64_t seed)
      : DatasetAround(std::move(inner)), how_(how), seed_(seed) {}

  Bytes scratch() const override { return scratch_for<float>(elements()) + inner_->scratch(); }

  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    const auto other = take<float>(scratch, elements());
    const RandomKey random{.seed = seed_, .step = uint64_t(epoch), .node = kNode};
    int place = 0;
    const auto either_way = [&] { return 2 * random.uniform(uint64_t(index), uint64_t(place++)) - 1; };
    // All numbers are drawn always, in this order: switching one kind off leaves the others as they were.
    const double turn = either_way() * how_.rotate * std::numbers::pi / 180, scale = 1 + either_way() * how_.zoom;
    const double shear = either_way() * how_.shear;
    const bool mirror = either_way() < 0 && how_.flip;
    const int64_t right = pixels(either_way()), down = pixels(either_way());
    PLIM_TRY(inner_->get(index, epoch, input, label, scratch));
    const auto numbers = floats(input);
    const Shape& shape = info_.type.input.shape;
    if (how_.warps()) {
      const double cosine = std::cos(turn) / scale, sine = std::sin(turn) / scale;
      warp(numbers, shape, {cosine, cosine * shear - sine, sine, sine * shear + cosine}, other);
      std::copy(other.begin(), other.end(), numbers.begin());
    }
    if (!mirror && right == 0 && down == 0) return {};
    std::copy(numbers.begin(), numbers.end(), other.begin());
    move_and_mirror(other, shape, right, down, mirror, numbers);
    return {};
  }

 private:
  static constexpr uint64_t kNode = 0x617567;  // apart from the numbers that operations draw with the same seed
  int64_t elements() const { return info_.type.input.elements().value(); }
  int64_t pixels(double either_way) const {  // -shift to shift, each as likely
    return int64_t(std::floor((either_way + 1) / 2 * double(2 * how_.shift + 1))) - how_.shift;
  }

  Augmentations how_;
  uint64_t seed_;
};

struct Kind {
  std::string_view name;
  double largest;  // 0: takes no number
};
constexpr Kind kKinds[] = {{"flip", 0}, {"shift", 4096}, {"rotate", 180}, {"zoom", 0.95}, {"shear", 2}};

Error bad_word(std::string_view word) {
  return user_error(fmt::format("{} has {}, expected a list of flip, shift:PIXELS, rotate:DEGREES (up to 180), "
                                "zoom:SHARE (up to 0.95), shear:SHARE (up to 2)",
                                named("augment"), in_quotes(word)),
                    "for example flip,shift:4");
}

Result<double> number_of(std::string_view word, std::string_view text, const Kind& kind) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= kind.largest) ||
      (kind.name == "shift" && value != std::floor(value)))
    return bad_word(word);
  return value;
}

}  // namespace

Result<Augmentations> parse_augmentations(const std::string& text) {
  Augmentations how;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma), name = word.substr(0, word.find(':'));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const auto* kind =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.name == name; });
    if (kind == std::end(kKinds) || (name.size() == word.size()) != (kind->largest == 0)) return bad_word(word);
    double value = 0;
    if (kind->largest > 0) {
      PLIM_ASSIGN(value, number_of(word, word.substr(name.size() + 1), *kind));
    }
    if (name == "flip") how.flip = true;
    if (name == "shift") how.shift = int64_t(value);
    if (name == "rotate") how.rotate = value;
    if (name == "zoom") how.zoom = value;
    if (name == "shear") how.shear = value;
  }
  return how;
}

Result<DatasetPtr> augmented(DatasetPtr inner, const Augmentations& how, uint64_t seed) {
  if (!how.any()) return inner;
  const TensorType& type = inner->info().type.input;
  if (type.dtype != DType::f32 || type.shape.rank() != 3)
    return user_error(fmt::format("samples of {} {} cannot be augmented, expected pictures", name_of(type.dtype),
                                  type.shape.text()))
        .in(inner->info().name);
  return DatasetPtr(std::make_shared<Augmented>(std::move(inner), how, seed));
}

}  // namespace plimsoll
