// weigh: adds up what a Program's operations cost, layer by layer and in all.
#pragma once

#include <string>
#include <vector>

#include "model/ir/program.h"
#include "model/optim/optimizer.h"
#include "plan/weight/token_weight.h"
#include "plan/weight/uncounted.h"

namespace plimsoll {

enum class Mode { train, inference, generate };

struct LayerWeight {
  std::string name;
  std::string op;
  std::optional<Shape> output;  // of the (last) operation; nullopt when it is not known
  Count params;                 // parameters that this layer is the first to read
  Count buffers;
  Macs macs;
  Flops flops;    // forward
  Count outputs;  // numbers computed, each independent of the others
  Bytes param_bytes;
  Bytes input_bytes;  // of what is not a parameter
  Bytes output_bytes;
  Bytes activation_bytes;  // memory its outputs take: none for views and in-place operations
  Bytes naive_bytes;       // see naive_space.h
  Bytes moved;             // read and written
  Count operations{1};     // more than 1 for a group of layers
  Certainty certainty = Certainty::exact;

  double intensity() const;  // flops per byte moved; 0 when nothing moves
};

struct Weight {
  std::string model;
  int64_t batch = 1;
  Mode mode = Mode::train;
  std::string optimizer;
  std::string dtype;  // as it is shown: "f32", "amp", "as stored"; the caller knows

  Count params;            // learnable numbers
  Count trainable_params;  // those that a training step changes
  Count buffers;           // the rest that is stored: batch-norm statistics
  Macs macs;               // forward, of convolutions and matrix products
  Flops flops;             // forward, every operation
  Flops train_flops;       // one training step: forward, backward, update
  Bytes param_bytes;
  Bytes buffer_bytes;
  Bytes input_bytes;
  Bytes activation_bytes;
  Bytes optimizer_bytes;
  Bytes naive_bytes;
  Bytes moved;
  std::vector<LayerWeight> layers;
  TokenWeight tokens;  // of a network that reads text; of others its parameters alone
  Uncounted uncounted;
  int64_t at_most = 0;  // operations whose cost is the largest it can be
  std::vector<std::string> notes;
};

// An Error only when a total leaves the range of a 64-bit count.
Result<Weight> weigh(const Program& program, Mode mode, const Optimizer& optimizer);

// The layers whose names agree in their first `depth` parts, in one row each; 0: all in one row
// a layer.
std::vector<LayerWeight> grouped(const std::vector<LayerWeight>& layers, int depth);

// Layers whose names differ in numbers alone, in one row: what is in a stack of equal blocks, by the part of a block.
std::vector<BlockWeight> by_block(const std::vector<LayerWeight>& layers);

// Operations on `units` equal units take this many rounds: 81 on 4 are 21, on 36 they are 3.
Count rounds(Count operations, int64_t units);

}  // namespace plimsoll
