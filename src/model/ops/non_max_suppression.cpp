// non_max_suppression: for each class the boxes of highest score, those left out that overlap a
// chosen one too much. Inputs: boxes (batch, n, 4), scores (batch, classes, n), the most boxes a
// class may keep (0 when absent), the overlap and the score beyond which a box is left out.
//
// How many is up to the data; the shape rule gives the most. The cost is the worst case too: every
// box meets every box kept, kOverlap operations each.
#include <fmt/format.h>

#include <numeric>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ir/work_limit.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

constexpr int64_t kOverlap = 19;        // two areas 6, intersection 9, union 2, quotient and comparison 2
constexpr int64_t kMostWork = 200'000;  // box pairs that are looked at before a run

struct Setup {
  int64_t batch, classes, boxes, most;
  Count pairs() const { return Count(batch) * classes * boxes * most; }
};

// The most boxes a class keeps, all of them when only a run can tell.
int64_t most_boxes(const OpCall& call) {
  const int64_t boxes = call.shape(0)[1];
  if (!call.has(2)) return 0;
  const Tensor* known = call.constant(2);
  const auto numbers = known ? known->integers() : std::vector<int64_t>{};
  return numbers.empty() ? boxes : std::clamp<int64_t>(numbers[0], 0, boxes);
}

Setup setup_of(const OpCall& call) { return {call.shape(0)[0], call.shape(1)[1], call.shape(0)[1], most_boxes(call)}; }

struct Box {
  double low_x, low_y, high_x, high_y;
};

Box box_at(const float* numbers, bool centred) {
  const std::array<double, 4> v = {numbers[0], numbers[1], numbers[2], numbers[3]};
  if (centred) return {v[0] - v[2] / 2, v[1] - v[3] / 2, v[0] + v[2] / 2, v[1] + v[3] / 2};
  return {std::min(v[1], v[3]), std::min(v[0], v[2]), std::max(v[1], v[3]), std::max(v[0], v[2])};
}

bool overlaps(const Box& a, const Box& b, double threshold) {
  const double width = std::min(a.high_x, b.high_x) - std::max(a.low_x, b.low_x);
  const double height = std::min(a.high_y, b.high_y) - std::max(a.low_y, b.low_y);
  const double common = std::max(width, 0.0) * std::max(height, 0.0);
  const auto area = [](const Box& box) { return (box.high_x - box.low_x) * (box.high_y - box.low_y); };
  return common > threshold * (area(a) + area(b) - common);
}

double number_at(const Tensor* tensor, double fallback) {
  const auto numbers = tensor ? tensor->doubles() : std::vector<double>{};
  return numbers.empty() ? fallback : numbers[0];
}

// The chosen boxes of one class, best first.
std::vector<int64_t> choose(const std::vector<Box>& boxes, const float* scores, const Setup& setup, double overlap,
                            double score) {
  std::vector<int64_t> order, chosen;
  for (int64_t i = 0; i < setup.boxes; ++i)
    if (scores[i] > score) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  for (const int64_t candidate : order) {
    if (int64_t(chosen.size()) >= setup.most) break;
    bool free = true;
    for (const int64_t kept : chosen) free = free && !overlaps(boxes[size_t(kept)], boxes[size_t(candidate)], overlap);
    if (free) chosen.push_back(candidate);
  }
  return chosen;
}

// (batch, class, box) triples, nullopt when the contents are not all known or are too many.
std::optional<std::vector<int64_t>> select(const OpCall& call) {
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.has(i) && !call.constant(i)) return std::nullopt;
  const Setup setup = setup_of(call);
  if (setup.pairs() > Count(kMostWork) || call.dtype(0) != DType::f32 || call.dtype(1) != DType::f32 ||
      !may_work(setup.pairs()))
    return std::nullopt;
  const double overlap = number_at(call.constant(3), 0);
  const double score = number_at(call.constant(4), -std::numeric_limits<double>::infinity());
  const bool centred = call.attributes.integer("center_point_box", 0) != 0;
  std::vector<int64_t> triples;
  for (int64_t b = 0; b < setup.batch && setup.pairs() != Count(0); ++b) {
    std::vector<Box> boxes;
    for (int64_t i = 0; i < setup.boxes; ++i)
      boxes.push_back(box_at(call.constant(0)->as<float>() + (b * setup.boxes + i) * 4, centred));
    for (int64_t c = 0; c < setup.classes; ++c) {
      const float* scores = call.constant(1)->as<float>() + (b * setup.classes + c) * setup.boxes;
      for (const int64_t box : choose(boxes, scores, setup, overlap, score)) triples.insert(triples.end(), {b, c, box});
    }
  }
  return triples;
}

Result<std::vector<TensorType>> infer_non_max_suppression(const OpCall& call) {
  const Shape& boxes = call.shape(0);
  const Shape& scores = call.shape(1);
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes[2] != 4 || boxes[0] != scores[0] || boxes[1] != scores[2])
    return user_error(fmt::format("boxes {} and scores {} do not agree: expected batch x n x 4 and batch x classes x n",
                                  boxes.text(), scores.text()));
  const Setup setup = setup_of(call);
  Count most = Count(setup.batch) * setup.classes * setup.most;
  if (const auto triples = select(call)) most = Count(int64_t(triples->size()) / 3);
  return std::vector{TensorType{DType::i64, Shape{most.value(), 3}}};
}

Cost cost_non_max_suppression(const OpCall& call) { return {{}, as<Flops>(setup_of(call).pairs() * kOverlap)}; }

bool reference_non_max_suppression(const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
  const auto triples = select(call);
  if (!triples) return false;
  std::copy(triples->begin(), triples->end(), out[0].as<int64_t>());
  return true;
}

std::vector<OpExample> examples_non_max_suppression() {
  const auto number = [](float x) { return example::known(float_tensor({1}, {x})); };
  return {{"two classes",
           {},
           {example::f32({2, 5, 4}), example::f32({2, 2, 5}), example::ints({3}), number(0.5F), number(0.2F)}},
          {"none may be kept", {}, {example::f32({2, 3, 4}), example::f32({2, 1, 3})}}};
}

}  // namespace

const Op& non_max_suppression_op() {
  static const Op op{.name = "non_max_suppression",
                     .onnx = {"NonMaxSuppression"},
                     .roles = "xxccc",
                     .required_inputs = 2,
                     .infer = infer_non_max_suppression,
                     .cost = cost_non_max_suppression,
                     .reference = reference_non_max_suppression,
                     .gradient = no_gradient,
                     .examples = examples_non_max_suppression,
                     .data_dependent = true};
  return op;
}

}  // namespace plimsoll
