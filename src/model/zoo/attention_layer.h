// Attention as the matrix products it consists of, so that they are weighed like any other.
#pragma once

#include "model/build/builder.h"

namespace plimsoll {

struct AttentionOptions {
  int64_t width = 0;   // of a token
  int64_t heads = 1;   // divides the width
  ValueId mask = {};   // added to the scores where there is one: -infinity hides a token
  double dropout = 0;  // of the weights
  int64_t groups = 1;  // more than 1: the batch is samples × groups, and the mask is groups × heads × tokens × tokens
  int64_t tokens = 0;  // needed with groups
};

// softmax(q · kᵀ / √(width / heads) + mask) · v. All are batch × tokens × width, and so is the answer.
ValueId attention(Builder& b, ValueId q, ValueId k, ValueId v, const AttentionOptions& options);

// One linear layer for q, k and v together, cut in three: batch × tokens × width each.
std::vector<ValueId> project_qkv(Builder& b, const std::string& name, ValueId x, int64_t width);

// The first `count` rows of a table of learned positions that has `most`, as count × width. A mistake when
// more are wanted than there are.
ValueId learned_positions(Builder& b, const std::string& name, int64_t count, int64_t most, int64_t width);

}  // namespace plimsoll
