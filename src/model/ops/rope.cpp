// rope: rotary positions (Su 2021). The first `rotary_embedding_dim` numbers of each head (0: all) are pairs, and each
// pair is turned by an angle that grows with its position in the sequence. x is (batch, sequence, heads × head) with
// num_heads, or (batch, heads, sequence, head). A pair is number i and i + half, or with `interleaved` 2i and 2i + 1.
// The angles: ONNX gives cosines and sines, (batch or 1, sequence, half) or by position_ids from tables (positions,
// half); or the attribute `frequencies`, one a pair, with `scale` on both (what rope scaling comes down to). Turning is
// linear, so the gradient is the same op the other way round (`inverse`). Cost: 3 a number that is turned.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Layout {
  int64_t batch, heads, sequence, head, half;
  bool heads_first;

  size_t at(int64_t n, int64_t h, int64_t s) const {
    return size_t((heads_first ? (n * heads + h) * sequence + s : (n * sequence + s) * heads + h) * head);
  }
};

Result<Layout> layout_of(const OpCall& call) {
  const Shape& x = call.shape(0);
  const int64_t stated = call.attributes.integer("num_heads", 0);
  if (x.rank() != 4 && (x.rank() != 3 || stated < 1 || x[2] % stated != 0))
    return user_error(
        fmt::format("input {} with num_heads {}: expected (batch, sequence, heads x head) or (batch, "
                    "heads, sequence, head)",
                    x.text(), stated));
  Layout layout =
      x.rank() == 4 ? Layout{x[0], x[1], x[2], x[3], 0, true} : Layout{x[0], stated, x[1], x[2] / stated, 0, false};
  const int64_t turned = call.attributes.integer("rotary_embedding_dim", 0);
  layout.half = (turned == 0 ? layout.head : turned) / 2;
  if (turned < 0 || turned > layout.head || turned % 2 != 0 || (turned == 0 && layout.head % 2 != 0))
    return user_error(
        fmt::format("{} of a head's {} numbers are to be rotated, expected an even part", turned, layout.head));
  return layout;
}

Status check_angles(const OpCall& call, const Layout& layout) {
  if (!call.has(1)) {
    const auto frequencies = call.attributes.numbers("frequencies");
    if (int64_t(frequencies.size()) == layout.half) return {};
    return user_error(fmt::format("{} frequencies, expected {}", frequencies.size(), layout.half));
  }
  const Shape& cosines = call.shape(1);
  if (!call.has(2) || call.shape(2) != cosines) return user_error("cosines and sines are not of one shape");
  const bool table = call.has(3);
  if (table && call.shape(3) != Shape{layout.batch, layout.sequence})
    return user_error(
        fmt::format("position_ids are {}, expected {}x{}", call.shape(3).text(), layout.batch, layout.sequence));
  const bool good = table ? cosines.rank() == 2 && cosines[1] == layout.half
                          : cosines == Shape{layout.batch, layout.sequence, layout.half} ||
                                cosines == Shape{1, layout.sequence, layout.half};
  if (good) return {};
  return user_error(fmt::format("cosines are {}, expected one for each of {} pairs", cosines.text(), layout.half));
}

Result<std::vector<TensorType>> infer_rope(const OpCall& call) {
  PLIM_ASSIGN(const Layout layout, layout_of(call));
  PLIM_TRY(check_angles(call, layout));
  return std::vector{call.type(0)};
}

Cost cost_rope(const OpCall& call) {
  const Layout layout = *layout_of(call);
  return {{}, as<Flops>(Count(layout.batch) * layout.heads * layout.sequence * layout.half * 6)};
}

struct Angles {
  std::vector<double> cosines, sines;  // (batch, sequence, half); of a batch of 1 for all

  // False: a position that the tables do not have.
  bool read(const OpCall& call, const Layout& layout, std::span<const TensorView> in) {
    const auto rows = size_t(layout.batch * layout.sequence), half = size_t(layout.half);
    cosines.resize(rows * half);
    sines.resize(rows * half);
    const auto frequencies = call.attributes.numbers("frequencies");
    const double scale = call.attributes.number("scale", 1);
    const auto cosine_table = read_doubles(in, 1), sine_table = read_doubles(in, 2), positions = read_doubles(in, 3);
    for (size_t r = 0; r < rows; ++r)
      for (size_t i = 0; i < half; ++i) {
        const size_t to = r * half + i;
        if (cosine_table.empty()) {
          const double angle = double(int64_t(r) % layout.sequence) * frequencies[i];
          cosines[to] = scale * std::cos(angle);
          sines[to] = scale * std::sin(angle);
          continue;
        }
        const size_t given = std::max<size_t>(1, cosine_table.size() / std::max<size_t>(1, half));
        const double row =
            positions.empty() ? double(r % given) : positions[r];  // one for all samples, or each its own
        if (!(row >= 0) || (row + 1) * double(half) > double(cosine_table.size())) return false;
        cosines[to] = cosine_table[size_t(row) * half + i];
        sines[to] = sine_table[size_t(row) * half + i];
      }
    return true;
  }
};

bool reference_rope(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Layout layout = *layout_of(call);
  Angles angles;
  if (!angles.read(call, layout, in)) return false;
  const bool interleaved = call.attributes.integer("interleaved", 0) != 0;
  const double direction = call.attributes.integer("inverse", 0) != 0 ? -1 : 1;
  auto y = read_doubles(in[0]);
  for (int64_t n = 0; n < layout.batch; ++n)
    for (int64_t h = 0; h < layout.heads; ++h)
      for (int64_t s = 0; s < layout.sequence; ++s)
        for (int64_t i = 0; i < layout.half; ++i) {
          double& first = y[layout.at(n, h, s) + size_t(interleaved ? 2 * i : i)];
          double& second = y[layout.at(n, h, s) + size_t(interleaved ? 2 * i + 1 : i + layout.half)];
          const auto angle = size_t((n * layout.sequence + s) * layout.half + i);
          const double cosine = angles.cosines[angle], sine = direction * angles.sines[angle], was = first;
          first = cosine * was - sine * second;
          second = sine * was + cosine * second;
        }
  write_doubles(out, 0, y);
  return true;
}

void gradient_rope(Backward& backward) {
  if (backward.wants(1) || backward.wants(2)) return backward.fail("learned angles have no gradient");
  const bool inverse = backward.attributes().integer("inverse", 0) != 0;
  if (backward.wants(0))
    backward.set(0, backward.emit(op_named("rope"),
                                  {backward.gradient(), backward.input(1), backward.input(2), backward.input(3)},
                                  with(backward.attributes(), "inverse", int64_t{!inverse})));
}

std::vector<OpExample> examples_rope() {
  using example::f32;
  const std::vector<double> two{1, 0.1};
  return {{"two heads", {{"num_heads", int64_t{2}}, {"frequencies", two}}, {f32({2, 3, 8})}},
          {"half of a head, scaled",
           {{"num_heads", int64_t{1}},
            {"rotary_embedding_dim", int64_t{4}},
            {"frequencies", two},
            {"scale", 1.25},
            {"interleaved", int64_t{1}}},
           {f32({2, 3, 8})}},
          {"heads first, by tables",
           {},
           {f32({2, 1, 2, 4}), example::known(float_tensor({3, 2}, {1, 1, 0.5, 0.6, -0.4, 0.3})),
            example::known(float_tensor({3, 2}, {0, 0, 0.8, 0.7, 0.9, 0.1})), example::known([] {
              Tensor positions = integer_tensor({0, 1, 2, 1});
              positions.type.shape = {2, 2};
              return positions;
            }())}}};
}

}  // namespace

const Op& rope_op() {
  static const Op op{.name = "rope",
                     .onnx = {"RotaryEmbedding"},
                     .roles = "xbbt",
                     .infer = infer_rope,
                     .cost = cost_rope,
                     .reference = reference_rope,
                     .gradient = gradient_rope,
                     .examples = examples_rope};
  return op;
}

}  // namespace plimsoll
