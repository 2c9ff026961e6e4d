// Softmax and its logarithm over rows that stand one behind the other, with their ways back from dy and y. dx may lie
// over dy or y.
#pragma once

#include <cstdint>

namespace plimsoll {

struct Rows {
  int64_t count = 0, length = 0;
};

void softmax_rows(const Rows& rows, const float* x, float* y);
void softmax_rows_back(const Rows& rows, const float* dy, const float* y, float* dx);
void log_softmax_rows(const Rows& rows, const float* x, float* y);
void log_softmax_rows_back(const Rows& rows, const float* dy, const float* y, float* dx);

}  // namespace plimsoll
