// Bricks: what random networks are made of. A brick takes the value that the network has come to and returns the next
// one, or nothing where it cannot be laid there.
#pragma once

#include <functional>

#include "tests/fuzz/random_graphs/graph_maker.h"

namespace plimsoll {

using Brick = std::function<std::optional<ValueId>(GraphMaker&, ValueId x)>;

struct WeightedBrick {
  std::string name;
  int weight;
  Brick lay;
};

std::vector<WeightedBrick> layer_bricks();    // convolutions, pools, norms, products
std::vector<WeightedBrick> shape_bricks();    // cut, join, turn, reduce
std::vector<WeightedBrick> example_bricks();  // every example of every operation

}  // namespace plimsoll
