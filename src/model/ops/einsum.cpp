// einsum: products of tensors summed over the indices that the output does not name, as in
// "bij,bjk->bik". Repeated indices of one tensor take its diagonal, "..." stands for leading axes that
// broadcast, an index of size 1 broadcasts too.
// Cost: operands are joined from the left, two at a time, and what no later operand or the output needs
// is summed at once, as frameworks do it. A step that sums costs a multiply-add for each combination of
// the two operands' indices, one that does not a multiplication; a single operand costs an addition for
// each combination when it is summed and nothing otherwise.
// The gradient of an operand is the einsum of dy and the other operands to that operand's own indices, where it has
// no diagonal, no index of its own and broadcasts nowhere; einsum_grad is the rest, at the same cost.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.h"
#include "model/ir/work_limit.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/window.h"

namespace plimsoll {

const Op& einsum_op();

namespace {

// An index is a letter, or kEllipsis + n for the n-th axis from the right of "...".
constexpr int kEllipsis = 1000;
using Indices = std::vector<int>;

struct Einsum {
  std::vector<Indices> operands;
  Indices all;             // the output's indices first, then the summed ones
  size_t output_rank = 0;  // how many of them the output has
  std::map<int, int64_t> size;

  Shape output() const {
    Shape shape;
    for (size_t i = 0; i < output_rank; ++i) shape.push_back(size.at(all[i]));
    return shape;
  }
  Count combinations() const { return combinations(all); }
  Count combinations(const Indices& indices) const {
    Count count(1);
    for (const int index : indices) count = count * size.at(index);
    return count;
  }
  bool sums() const { return all.size() > output_rank; }
};

// The indices of one term, "..." standing for `ellipsis` axes.
Result<Indices> parse_term(std::string_view term, int ellipsis) {
  Indices indices;
  bool seen = false;
  for (size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      indices.push_back(c);
    } else if (term.substr(i, 3) == "..." && !seen) {
      for (int axis = ellipsis; axis-- > 0;) indices.push_back(kEllipsis + axis);
      seen = true;
      i += 2;
    } else {
      return user_error(fmt::format("{} is not a term of letters with at most one ellipsis", in_quotes(term)));
    }
  }
  return indices;
}

// The axes that "..." stands for in a term over a tensor of this rank; 0 when it is not there.
int ellipsis_axes(std::string_view term, int rank) {
  return term.find("...") == std::string_view::npos ? 0 : std::max(0, rank - (int(term.size()) - 3));
}

Status add_operand(Einsum& einsum, std::string_view term, const Shape& shape) {
  PLIM_ASSIGN(Indices indices, parse_term(term, ellipsis_axes(term, shape.rank())));
  if (int(indices.size()) != shape.rank())
    return user_error(
        fmt::format("term {} names {} axes of a tensor of shape {}", in_quotes(term), indices.size(), shape.text()));
  for (int axis = 0; axis < shape.rank(); ++axis) {
    int64_t& size = einsum.size.emplace(indices[size_t(axis)], 1).first->second;
    if (size != shape[axis] && size != 1 && shape[axis] != 1)
      return user_error(fmt::format("term {}: an index has the sizes {} and {}", in_quotes(term), size, shape[axis]));
    if (size == 1) size = shape[axis];
  }
  einsum.operands.push_back(std::move(indices));
  return {};
}

// Where the equation states no output: the ellipsis, then the letters that occur once, in order.
Indices implied_output(const Einsum& einsum) {
  Indices output, letters;
  for (const auto& [index, size] : einsum.size) {
    int uses = 0;
    for (const auto& operand : einsum.operands) uses += int(std::count(operand.begin(), operand.end(), index));
    if (index >= kEllipsis) output.insert(output.begin(), index);
    else if (uses == 1) letters.push_back(index);
  }
  output.insert(output.end(), letters.begin(), letters.end());
  return output;
}

Status set_output(Einsum& einsum, Indices output) {
  for (const int index : output)
    if (!einsum.size.count(index) || std::count(output.begin(), output.end(), index) != 1)
      return user_error("the output of the equation names an index twice, or one that no operand has");
  einsum.output_rank = output.size();
  einsum.all = std::move(output);
  for (const auto& [index, size] : einsum.size)
    if (std::find(einsum.all.begin(), einsum.all.end(), index) == einsum.all.end()) einsum.all.push_back(index);
  return {};
}

Result<Einsum> einsum_of(std::string_view stated, const std::vector<const Shape*>& shapes) {
  std::string equation;
  for (const char c : stated)
    if (c != ' ') equation += c;
  const size_t arrow = equation.find("->");
  std::string_view terms = std::string_view(equation).substr(0, arrow);
  Einsum einsum;
  int ellipsis = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const size_t comma = terms.find(',');
    const bool last = i + 1 == shapes.size();
    if (!shapes[i] || last != (comma == std::string_view::npos))
      return user_error(
          fmt::format("equation {} does not have one term for each of {} inputs", in_quotes(equation), shapes.size()));
    const std::string_view term = terms.substr(0, comma);
    ellipsis = std::max(ellipsis, ellipsis_axes(term, shapes[i]->rank()));
    PLIM_TRY(add_operand(einsum, term, *shapes[i]));
    terms.remove_prefix(last ? terms.size() : comma + 1);
  }
  if (arrow == std::string::npos) {
    PLIM_TRY(set_output(einsum, implied_output(einsum)));
    return einsum;
  }
  PLIM_ASSIGN(Indices output, parse_term(std::string_view(equation).substr(arrow + 2), ellipsis));
  PLIM_TRY(set_output(einsum, std::move(output)));
  return einsum;
}

std::vector<const Shape*> shapes_of(const OpCall& call) {
  std::vector<const Shape*> shapes;
  for (size_t i = 0; i < call.input_count(); ++i) shapes.push_back(call.has(i) ? &call.shape(i) : nullptr);
  return shapes;
}

Result<Einsum> einsum_of(const OpCall& call) {
  return einsum_of(call.attributes.text("equation", ""), shapes_of(call));
}

Result<std::vector<TensorType>> infer_einsum(const OpCall& call) {
  PLIM_ASSIGN(Einsum einsum, einsum_of(call));
  return std::vector{TensorType{call.dtype(0), einsum.output()}};
}

// Whether the output or an operand from number `next` on names the index.
bool needed_later(const Einsum& einsum, int index, size_t next) {
  const auto names = [&](auto first, auto last) { return std::find(first, last, index) != last; };
  if (names(einsum.all.begin(), einsum.all.begin() + int64_t(einsum.output_rank))) return true;
  return std::any_of(einsum.operands.begin() + int64_t(next), einsum.operands.end(),
                     [&](const Indices& operand) { return names(operand.begin(), operand.end()); });
}

Cost cost_of(const Einsum& einsum) {
  if (einsum.operands.size() == 1) return {{}, einsum.sums() ? as<Flops>(einsum.combinations()) : Flops(0)};
  Cost cost;
  Indices joined;  // each index once
  for (size_t k = 0; k < einsum.operands.size(); ++k) {
    for (const int index : einsum.operands[k])
      if (std::find(joined.begin(), joined.end(), index) == joined.end()) joined.push_back(index);
    if (k == 0) continue;
    const Count steps = einsum.combinations(joined);
    const bool sums = std::erase_if(joined, [&](int index) { return !needed_later(einsum, index, k + 1); }) > 0;
    if (sums) cost.macs += as<Macs>(steps);
    cost.flops += as<Flops>(steps) * (sums ? 2 : 1);
  }
  return cost;
}

Cost cost_einsum(const OpCall& call) { return cost_of(*einsum_of(call)); }

// How far operand k moves for one step of each index of `all`.
std::vector<int64_t> steps_of(const Einsum& einsum, size_t k, const Shape& shape) {
  std::vector<int64_t> steps(einsum.all.size(), 0);
  const auto strides = shape.strides();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto at = std::find(einsum.all.begin(), einsum.all.end(), einsum.operands[k][size_t(axis)]);
    if (shape[axis] != 1) steps[size_t(at - einsum.all.begin())] += strides[size_t(axis)];
  }
  return steps;
}

// The plain sum below visits every combination of all indices, which may be far more than pairwise products cost.
bool may_visit(const Einsum& einsum) {
  return may_work(einsum.combinations() * int64_t(1 + einsum.operands.size() * einsum.all.size() / 8));
}

// Visits every combination of indices: f(place in the output, places in the operands).
template <class F>
void for_combinations(const Einsum& einsum, const std::vector<const Shape*>& shapes, F&& f) {
  std::vector<std::vector<int64_t>> steps;
  for (size_t k = 0; k < shapes.size(); ++k) steps.push_back(steps_of(einsum, k, *shapes[k]));
  std::vector<int64_t> size;
  for (const int index : einsum.all) size.push_back(einsum.size.at(index));
  const int64_t total = einsum.combinations().value(), outputs = einsum.output().elements().value();
  std::vector<int64_t> at(size.size(), 0);
  std::vector<size_t> places(shapes.size());
  for (int64_t i = 0; i < total; ++i, advance(at, size)) {
    for (size_t k = 0; k < shapes.size(); ++k) {
      places[k] = 0;
      for (size_t a = 0; a < at.size(); ++a) places[k] += size_t(at[a] * steps[k][a]);
    }
    f(size_t(i / (total / outputs)), places);
  }
}

bool reference_einsum(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Einsum einsum = *einsum_of(call);
  if (!all_numbers(in, out) || !may_visit(einsum)) return false;
  std::vector<std::vector<double>> numbers;
  for (const auto& view : in) numbers.push_back(read_doubles(view));
  std::vector<double> y(size_t(out[0].size()));
  for_combinations(einsum, shapes_of(call), [&](size_t to, const std::vector<size_t>& places) {
    double product = 1;
    for (size_t k = 0; k < places.size(); ++k) product *= numbers[k][places[k]];
    y[to] += product;
  });
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_einsum() {
  using example::f32;
  const auto equation = [](const char* text) { return Attributes{{"equation", std::string(text)}}; };
  return {{"batched product", equation("bij,bjk->bik"), {f32({2, 3, 4}), f32({2, 4, 5})}},
          {"ellipsis and diagonal", equation("...ii->...i"), {f32({2, 3, 3})}},
          {"implied output", equation("bi,bj"), {f32({2, 3}), f32({2, 4})}},
          {"three operands", equation("ba,bc,bd->bac"), {f32({2, 3}), f32({2, 4}), f32({2, 5})}},
          {"broadcast ellipsis", equation("...ij,...jk->...ik"), {f32({2, 3, 4, 5}), f32({1, 3, 5, 2})}, 1, false}};
}

// einsum_grad: the operands with dy in the place of number "operand" → the gradient of that one, of "input_shape".
struct Reverse {
  Einsum forward;
  size_t operand;
  Shape shape;                       // of the gradient
  std::vector<const Shape*> shapes;  // of the forward operands
};

Result<Reverse> reverse_of(const OpCall& call) {
  Reverse reverse{
      {}, size_t(call.attributes.integer("operand", 0)), Shape(call.attributes.integers("input_shape")), {}};
  reverse.shapes = shapes_of(call);
  if (reverse.operand >= reverse.shapes.size()) return user_error("the gradient of an operand that is not there");
  reverse.shapes[reverse.operand] = &reverse.shape;
  PLIM_ASSIGN(reverse.forward, einsum_of(call.attributes.text("equation", ""), reverse.shapes));
  reverse.shapes[reverse.operand] = nullptr;  // it moves with `reverse`
  if (call.shape(reverse.operand) != reverse.forward.output())
    return user_error(fmt::format("the gradient has the shape {}, expected {}", call.shape(reverse.operand).text(),
                                  reverse.forward.output().text()));
  return reverse;
}

Result<std::vector<TensorType>> infer_einsum_grad(const OpCall& call) {
  PLIM_ASSIGN(const Reverse reverse, reverse_of(call));
  return std::vector{TensorType{call.dtype(0), reverse.shape}};
}

// Of the einsum of dy and the other operands to this one's indices.
Cost cost_einsum_grad(const OpCall& call) {
  const Reverse reverse = *reverse_of(call);
  const Indices& own = reverse.forward.operands[reverse.operand];
  Einsum back = reverse.forward;
  back.operands[reverse.operand].assign(back.all.begin(), back.all.begin() + int64_t(back.output_rank));
  std::swap(back.operands[0], back.operands[reverse.operand]);
  std::stable_partition(back.all.begin(), back.all.end(),
                        [&](int index) { return std::find(own.begin(), own.end(), index) != own.end(); });
  back.output_rank = std::set<int>(own.begin(), own.end()).size();
  return cost_of(back);
}

bool reference_einsum_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  Reverse reverse = *reverse_of(call);
  if (!may_visit(reverse.forward)) return false;
  reverse.shapes[reverse.operand] = &reverse.shape;
  std::vector<std::vector<double>> numbers;
  for (const auto& view : in) numbers.push_back(read_doubles(view));
  std::vector<double> dx(size_t(out[0].size()));
  for_combinations(reverse.forward, reverse.shapes, [&](size_t to, const std::vector<size_t>& places) {
    double product = numbers[reverse.operand][to];
    for (size_t k = 0; k < places.size(); ++k)
      if (k != reverse.operand) product *= numbers[k][places[k]];
    dx[places[reverse.operand]] += product;
  });
  write_doubles(out, 0, dx);
  return true;
}

const Op& einsum_grad() {
  static const Op op{.name = "einsum_grad",
                     .onnx = {},
                     .infer = infer_einsum_grad,
                     .cost = cost_einsum_grad,
                     .reference = reference_einsum_grad};
  return op;
}

// Whether the gradient of operand k is an einsum: its indices differ, have their full sizes, and are all known from dy
// or from another operand.
bool reads_back(const Einsum& einsum, size_t k, const Shape& shape) {
  const Indices& own = einsum.operands[k];
  std::set<int> known(einsum.all.begin(), einsum.all.begin() + int64_t(einsum.output_rank)), seen;
  for (size_t other = 0; other < einsum.operands.size(); ++other)
    if (other != k) known.insert(einsum.operands[other].begin(), einsum.operands[other].end());
  for (size_t axis = 0; axis < own.size(); ++axis) {
    const bool whole = shape[int(axis)] == einsum.size.at(own[axis]);
    if (!whole || !known.count(own[axis]) || !seen.insert(own[axis]).second) return false;
  }
  return true;
}

// The indices in letters of their own, of which there are 52.
std::string spelled(const Einsum& einsum, const Indices& indices) {
  std::string text;
  for (const int index : indices) {
    const auto place = size_t(std::find(einsum.all.begin(), einsum.all.end(), index) - einsum.all.begin());
    text += char(place < 26 ? 'a' + int(place) : 'A' + int(place % 26));
  }
  return text;
}

void gradient_einsum(Backward& backward) {
  const Einsum einsum = *einsum_of(backward.call());
  const Indices output(einsum.all.begin(), einsum.all.begin() + int64_t(einsum.output_rank));
  for (size_t k = 0; k < einsum.operands.size(); ++k) {
    if (!backward.wants(k)) continue;
    const bool plain = einsum.all.size() <= 52 && reads_back(einsum, k, backward.call().shape(k));
    std::string equation = spelled(einsum, output);
    std::vector<ValueId> inputs{backward.gradient()}, replaced;
    for (size_t other = 0; other < einsum.operands.size(); ++other) {
      replaced.push_back(other == k ? backward.gradient() : backward.input(other));
      if (other == k) continue;
      equation += "," + spelled(einsum, einsum.operands[other]);
      inputs.push_back(backward.input(other));
    }
    equation += "->" + spelled(einsum, einsum.operands[k]);
    const Attributes attributes{{"equation", backward.attributes().text("equation", "")},
                                {"operand", int64_t(k)},
                                {"input_shape", sizes_of(backward.call().shape(k))}};
    backward.set(k, plain ? backward.emit(einsum_op(), std::move(inputs), {{"equation", equation}})
                          : backward.emit(einsum_grad(), std::move(replaced), attributes));
  }
}

}  // namespace

const Op& einsum_op() {
  static const Op op{.name = "einsum",
                     .onnx = {"Einsum"},
                     .infer = infer_einsum,
                     .cost = cost_einsum,
                     .reference = reference_einsum,
                     .gradient = gradient_einsum,
                     .examples = examples_einsum};
  return op;
}

}  // namespace plimsoll
