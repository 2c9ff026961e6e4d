// unique: the different numbers (or slices along an axis), with where each came first, which each
// input was, and how often it came. How many is up to the data. Costs are not counted: sorting
// compares, it does not compute.
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ir/work_limit.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostNumbers = 1 << 16;  // sorted before a run; with more, the largest size stands

// An entry is one number, or one slice: `outer` runs of `inner` numbers, `entries` runs apart.
struct Layout {
  int64_t outer = 1, entries = 0, inner = 1;
};

struct Groups {
  std::vector<int64_t> first, group_of, count;  // first and count by group, group_of by entry
};

Result<Layout> layout_of(const OpCall& call) {
  const Shape& from = call.shape(0);
  if (!call.attributes.has("axis")) return Layout{1, from.elements().value(), 1};
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), from.rank()));
  return Layout{from.elements(0, axis).value(), from[axis], from.elements(axis + 1, from.rank()).value()};
}

// -1, 0 or 1; not-a-number equals itself and comes last.
template <class T>
int compare(const T* x, const Layout& layout, int64_t a, int64_t b) {
  for (int64_t o = 0; o < layout.outer; ++o)
    for (int64_t i = 0; i < layout.inner; ++i) {
      const T left = x[(o * layout.entries + a) * layout.inner + i];
      const T right = x[(o * layout.entries + b) * layout.inner + i];
      if (left < right || (left == left && right != right)) return -1;
      if (right < left || (right == right && left != left)) return 1;
    }
  return 0;
}

template <class T>
Groups find_groups(const T* x, const Layout& layout, bool sorted) {
  std::vector<int64_t> order(size_t(layout.entries), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return compare(x, layout, a, b) < 0; });
  std::vector<int64_t> first;  // the first entry of each group, groups in sorted order
  std::vector<int64_t> leader(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || compare(x, layout, order[i - 1], order[i]) != 0) first.push_back(order[i]);
    leader[size_t(order[i])] = first.back();
  }
  if (!sorted) std::sort(first.begin(), first.end());
  std::vector<int64_t> group_at(order.size(), 0);  // a leader's entry → its group
  for (size_t g = 0; g < first.size(); ++g) group_at[size_t(first[g])] = int64_t(g);
  Groups groups{first, std::vector<int64_t>(order.size()), std::vector<int64_t>(first.size(), 0)};
  for (size_t entry = 0; entry < order.size(); ++entry) {
    groups.group_of[entry] = group_at[size_t(leader[entry])];
    ++groups.count[size_t(groups.group_of[entry])];
  }
  return groups;
}

std::optional<Groups> groups_of(const OpCall& call, DType type, const std::byte* data) {
  const Layout layout = *layout_of(call);
  const bool sorted = call.attributes.integer("sorted", 1) != 0;
  std::optional<Groups> groups;
  const Count numbers = call.type(0).elements();
  if (numbers > Count(kMostNumbers) || !may_work(numbers * int64_t(std::bit_width(uint64_t(layout.entries)))))
    return groups;
  for_type(type,
           [&](auto zero) { groups = find_groups(reinterpret_cast<const decltype(zero)*>(data), layout, sorted); });
  return groups;
}

Result<std::vector<TensorType>> infer_unique(const OpCall& call) {
  PLIM_ASSIGN(const Layout layout, layout_of(call));
  int64_t count = layout.entries;
  if (const Tensor* known = call.constant(0); known && known->size() > 0)
    if (const auto groups = groups_of(call, known->type.dtype, known->bytes.data()))
      count = int64_t(groups->first.size());
  Shape shape{count};
  if (call.attributes.has("axis")) {
    shape = call.shape(0);
    shape[*normalise_axis(call.attributes.integer("axis", 0), shape.rank())] = count;
  }
  const TensorType per_group{DType::i64, Shape{count}}, per_entry{DType::i64, Shape{layout.entries}};
  return std::vector{TensorType{call.dtype(0), shape}, per_group, per_entry, per_group};
}

bool reference_unique(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Layout layout = *layout_of(call);
  if (in[0].size() == 0) {  // empty slices stay as they are, each on its own
    for (size_t k = 1; k < out.size(); ++k)
      for (int64_t i = 0; i < out[k].size(); ++i) out[k].as<int64_t>()[i] = k == 3 ? 1 : i;
    return true;
  }
  const auto groups = groups_of(call, in[0].dtype(), in[0].data);
  if (!groups) return false;
  const size_t block = size_t(layout.inner) * element_size(in[0].dtype());
  std::byte* to = out[0].data;
  for (int64_t o = 0; o < layout.outer && out[0].present(); ++o)
    for (const int64_t entry : groups->first) {
      std::memcpy(to, in[0].data + size_t(o * layout.entries + entry) * block, block);
      to += block;
    }
  const std::vector<int64_t>* const places[] = {nullptr, &groups->first, &groups->group_of, &groups->count};
  for (size_t k = 1; k < out.size(); ++k)
    if (out[k].present()) std::copy(places[k]->begin(), places[k]->end(), out[k].as<int64_t>());
  return true;
}

void gradient_unique(Backward& backward) { backward.fail("how many different numbers there are depends on the data"); }

std::vector<OpExample> examples_unique() {
  return {{"numbers", {}, {example::i64({2, 4})}, 4},
          {"slices, unsorted", {{"axis", int64_t{0}}, {"sorted", int64_t{0}}}, {example::i64({4, 2})}, 4},
          {"of floats", {}, {example::f32({5})}, 1, true, false}};
}

}  // namespace

const Op& unique_op() {
  static const Op op{.name = "unique",
                     .onnx = {"Unique"},
                     .infer = infer_unique,
                     .reference = reference_unique,
                     .gradient = gradient_unique,
                     .examples = examples_unique,
                     .data_dependent = true};
  return op;
}

}  // namespace plimsoll
