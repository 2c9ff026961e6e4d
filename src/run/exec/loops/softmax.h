// Softmax and its logarithm over rows that follow each other in memory, with their backward passes from dy and y. dx
// may be dy or y.
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

// log Σ e^x of one row; runs of numbers are summed in single precision, and those sums in double.
double log_of_powers(const float* x, int64_t count);

// Where the first of the largest numbers is; 0 where none is a number.
int64_t first_largest(const float* x, int64_t count);

// Log probabilities of one row; y may be x.
void log_softmax_row(const float* x, int64_t count, float* y);

// dx = (e^logs - elsewhere) · factor; dx may be logs.
void shares_back(const float* logs, float elsewhere, float factor, int64_t count, float* dx);

// y = exp(x - largest), whose sum is returned: shares that are not yet divided by it. y may be x.
float exponentials(const float* x, float largest, int64_t count, float* y);

}  // namespace plimsoll
