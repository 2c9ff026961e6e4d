// Occupancy: which bytes of an arena are taken at which time, while blocks are being placed.
//
// A tree over time, each node standing for a span of it. A block is noted at the few nodes that make up its
// lifetime, as part of a run of neighbouring bytes: blocks that touch become one run, so that a stack of a thousand
// activations is looked at as one thing. Taking and asking cost the logarithm of the time, times the runs met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

class Occupancy {
 public:
  struct Run {
    int64_t begin, end;  // bytes
  };
  struct Taken {
    int64_t begin, end;
    int64_t time;  // for how much of the time that was asked about, at most
  };

  explicit Occupancy(int32_t times);

  void clear();
  void take(int32_t first, int32_t last, Run bytes);

  // What is taken at any time from first to last, by where it begins, with gaps of less than `size` where that is
  // quicker. Runs may overlap each other.
  void taken(int32_t first, int32_t last, int64_t size, std::vector<Taken>& runs) const;

 private:
  using Runs = std::vector<Run>;  // in order, never touching
  struct Node {
    Runs whole;  // taken for the whole span by a block that also outlives it or begins and ends with it
    Runs part;   // taken at any time of the span, by what was noted at this node or below it
  };

  template <class Inside, class Across>
  void visit(int32_t first, int32_t last, Inside inside, Across across) const;

  size_t leaves_ = 1;
  std::vector<Node> nodes_;  // node 1 is the root, 2k and 2k+1 the halves of k
};

}  // namespace plimsoll
