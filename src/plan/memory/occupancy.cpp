#include "plan/memory/occupancy.h"

#include <algorithm>

namespace plimsoll {
namespace {

void add(std::vector<Occupancy::Run>& runs, Occupancy::Run run) {
  auto begin = std::lower_bound(runs.begin(), runs.end(), run.begin,
                                [](const Occupancy::Run& r, int64_t byte) { return r.end < byte; });
  auto end = begin;
  for (; end != runs.end() && end->begin <= run.end; ++end) {
    run.begin = std::min(run.begin, end->begin);
    run.end = std::max(run.end, end->end);
  }
  if (begin == end) {
    runs.insert(begin, run);
  } else {
    *begin = run;
    runs.erase(begin + 1, end);
  }
}

}  // namespace

Occupancy::Occupancy(int32_t times) {
  while (leaves_ < size_t(times)) leaves_ *= 2;
  nodes_.resize(2 * leaves_);
}

void Occupancy::clear() {
  for (auto& node : nodes_) {
    node.whole.clear();
    node.part.clear();
  }
}

// inside(node, span): the nodes that make up [first, last]. across(node, time): those above them, which reach
// beyond it, with the time that they share with it.
template <class Inside, class Across>
void Occupancy::visit(int32_t first, int32_t last, Inside inside, Across across) const {
  size_t left = size_t(first) + leaves_, right = size_t(last) + leaves_ + 1;
  for (int64_t span = 1; left < right; left /= 2, right /= 2, span *= 2) {
    if (left & 1) inside(left++, span);
    if (right & 1) inside(--right, span);
  }
  size_t a = size_t(first) + leaves_, b = size_t(last) + leaves_;
  for (int64_t span = 1; a > 0; a /= 2, b /= 2, span *= 2) {
    const auto shared = [&](size_t node) {
      const int64_t begin = int64_t(node) * span - int64_t(leaves_), end = begin + span - 1;
      const int64_t time = std::min<int64_t>(end, last) - std::max<int64_t>(begin, first) + 1;
      if (time < span) across(node, time);
    };
    shared(a);
    if (a != b) shared(b);
  }
}

void Occupancy::take(int32_t first, int32_t last, Run bytes) {
  visit(
      first, last,
      [&](size_t node, int64_t) {
        add(nodes_[node].whole, bytes);
        add(nodes_[node].part, bytes);
      },
      [&](size_t node, int64_t) { add(nodes_[node].part, bytes); });
}

void Occupancy::taken(int32_t first, int32_t last, int64_t size, std::vector<Taken>& runs) const {
  runs.clear();
  const auto append = [&](const Runs& some, int64_t time) {
    for (auto run = some.begin(); run != some.end(); ++run) {
      const int64_t begin = run->begin;
      while (run + 1 != some.end() && (run + 1)->begin - run->end < size) ++run;
      runs.push_back({begin, run->end, time});
    }
  };
  visit(
      first, last, [&](size_t node, int64_t span) { append(nodes_[node].part, span); },
      [&](size_t node, int64_t time) { append(nodes_[node].whole, time); });
  std::sort(runs.begin(), runs.end(), [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
}

}  // namespace plimsoll
