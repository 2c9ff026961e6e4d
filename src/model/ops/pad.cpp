// pad: adds a border along each axis — a constant, the reflected inside, the repeated edge or the
// other side (wrap) — or, with a negative size, cuts one off.
#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& pad_op();

namespace {

constexpr int64_t kMost = int64_t{1} << 53;  // leaves room to add two pads and a size

struct Border {
  int64_t begin = 0, end = 0;
};

// One entry an axis, by ONNX's order: all begins, then all ends, of the named axes.
Result<std::vector<Border>> borders_of(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(const auto pads, call.integers(call.attributes.has("paddings") ? "paddings" : "pads", 1));
  PLIM_ASSIGN(const auto stated, call.integers("axes", 3));
  std::vector<int64_t> all;
  for (int axis = 0; axis < from.rank(); ++axis) all.push_back(axis);
  PLIM_ASSIGN(const auto axes, read_axes(stated.value_or(all), from.rank()));
  if (!pads || pads->size() != 2 * axes.size())
    return user_error(fmt::format("{} pads are given, expected two for each of {} axes of {}", pads ? pads->size() : 0,
                                  axes.size(), from.text()));
  std::vector<Border> borders(size_t(from.rank()));
  for (size_t i = 0; i < axes.size(); ++i) {
    const Border border{(*pads)[i], (*pads)[i + axes.size()]};
    if (std::max(border.begin, border.end) > kMost || std::min(border.begin, border.end) < -kMost)
      return user_error(
          fmt::format("pads {} and {} along axis {} are out of range (overflow)", border.begin, border.end, axes[i]));
    borders[size_t(axes[i])] = border;
  }
  return borders;
}

Status check_mode(const std::string& mode, int64_t size, Border border, int axis) {
  const int64_t widest = std::max(border.begin, border.end);
  if (mode == "constant" || widest <= 0) return {};
  if (mode == "reflect" && widest >= size)
    return user_error(
        fmt::format("reflects {} numbers at axis {} of size {}, expected less than its size", widest, axis, size));
  if (size == 0) return user_error(fmt::format("axis {} is empty, there is nothing to pad with", axis));
  return {};
}

Result<std::vector<TensorType>> infer_pad(const OpCall& call) {
  const std::string mode = call.attributes.text("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return user_error(fmt::format("mode is {}, expected constant, reflect, edge or wrap", in_quotes(mode)));
  if (call.has(2) && call.type(2).elements() > Count(1))
    return user_error(fmt::format("the padding value has the shape {}, expected one number", call.shape(2).text()));
  if (call.has(2)) PLIM_TRY(check_same_dtype(call, 2, 3));
  PLIM_ASSIGN(const auto borders, borders_of(call));
  Shape shape = call.shape(0);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Border border = borders[size_t(axis)];
    PLIM_TRY(check_mode(mode, shape[axis], border, axis));
    shape[axis] += border.begin + border.end;
    if (shape[axis] < 0)
      return user_error(fmt::format("pads {} and {} leave axis {} of {} less than nothing", border.begin, border.end,
                                    axis, call.shape(0).text()));
  }
  return std::vector{TensorType{call.dtype(0), shape}};
}

// The place inside the input that a padded place takes its number from, -1 for the constant.
int64_t source(const std::string& mode, int64_t place, int64_t size) {
  if (place >= 0 && place < size) return place;
  if (mode == "constant" || size == 0) return -1;
  if (mode == "edge") return std::clamp<int64_t>(place, 0, size - 1);
  if (mode == "wrap") return (place % size + size) % size;
  const int64_t period = std::max<int64_t>(2 * (size - 1), 1);
  const int64_t folded = (place % period + period) % period;
  return folded < size ? folded : period - folded;
}

std::vector<std::byte> padding_value(const OpCall& call, std::span<const TensorView> in) {
  const size_t size = element_size(in[0].dtype());
  std::vector<std::byte> value(size);
  if (in.size() > 2 && in[2].present() && in[2].size() == 1) {
    std::memcpy(value.data(), in[2].data, size);
  } else if (in[0].dtype() == DType::f32) {  // an attribute, in the opsets that knew only floats
    const auto number = float(call.attributes.number("value", 0));
    std::memcpy(value.data(), &number, size);
  } else if (in[0].dtype() == DType::f64) {
    const double number = call.attributes.number("value", 0);
    std::memcpy(value.data(), &number, size);
  }
  return value;
}

bool reference_pad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const std::string mode = call.attributes.text("mode", "constant");
  const auto borders = *borders_of(call);
  const auto value = padding_value(call, in);
  const Shape& from = in[0].shape();
  const auto strides = from.strides();
  for_each_index(out[0].shape(), [&](int64_t to, const std::vector<int64_t>& index) {
    int64_t offset = 0;
    for (size_t axis = 0; axis < index.size() && offset >= 0; ++axis) {
      const int64_t place = source(mode, index[axis] - borders[axis].begin, from[int(axis)]);
      offset = place < 0 ? -1 : offset + place * strides[axis];
    }
    if (offset < 0) std::memcpy(out[0].data + size_t(to) * value.size(), value.data(), value.size());
    else copy_element(in[0], offset, out[0], to, value.size());
  });
  return true;
}

// Constant borders are cut off again, and what was cut off gets zeros. Other borders add up where they came from;
// the value they are padded with plays no part.
void gradient_pad(Backward& backward) {
  if (!backward.wants(0)) return;
  if (backward.attributes().text("mode", "constant") == "constant") {
    std::vector<int64_t> begins, ends;
    const auto borders = *borders_of(backward.call());
    for (const Border border : borders) {
      begins.push_back(-border.begin);
      ends.push_back(-border.end);
    }
    begins.insert(begins.end(), ends.begin(), ends.end());
    return backward.set(0, backward.emit(pad_op(), {backward.gradient()}, {{"pads", begins}}));
  }
  emit_moved_back(backward, movement_grad<pad_op>(), 2);
}

std::vector<OpExample> examples_pad() {
  using example::f32, example::ints;
  const auto mode = [](const char* name) { return Attributes{{"mode", std::string(name)}}; };
  return {{"constant", {}, {f32({2, 3, 4}), ints({0, 1, 2, 0, 0, 1}), example::known(float_tensor({}, {7}))}},
          {"reflect", mode("reflect"), {f32({2, 3, 4}), ints({0, 1, 2, 0, 2, 3})}},
          {"edge, one side cut", mode("edge"), {f32({2, 4}), ints({0, 3, 0, -2})}},
          {"wrap", mode("wrap"), {f32({2, 3}), ints({0, 4, 0, 7})}},
          {"attribute", {{"pads", example::Ints{0, 1, 0, 1}}, {"value", 0.5}}, {f32({2, 3})}}};
}

}  // namespace

const Op& pad_op() {
  static const Op op{.name = "pad",
                     .kind = OpKind::movement,
                     .onnx = {"Pad"},
                     .roles = "xccc",
                     .infer = infer_pad,
                     .reference = reference_pad,
                     .gradient = gradient_pad,
                     .examples = examples_pad};
  return op;
}

}  // namespace plimsoll
