// PipelineStage: the blocks that one device of a pipeline runs; all of them where there is no pipeline.
#pragma once

#include <cstdint>

namespace plimsoll {

struct PipelineStage {
  int32_t first = -1, last = 0;  // blocks; -1: with the embedding, the number of blocks: with the head
  int64_t in_flight = 1;         // micro-batches whose activations are there at once

  bool has(int32_t block) const { return block >= first && block <= last; }
};

}  // namespace plimsoll
