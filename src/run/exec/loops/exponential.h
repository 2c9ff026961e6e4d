// e^x in single precision for loops that are to become vectors; good to about two units in the last place, 0 below -87
// and infinite above 88. What is not a number stays so.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

// const float result = e^x. A macro: what is inlined into clones for other instruction sets (PLIM_CLONES) comes too
// late for their vectors.
//
// x = n · log 2 + r: adding 1.5 · 2^23 rounds to whole numbers and leaves n in the lowest bits. Far out these mean
// nothing; that is sorted out at the end.
#define PLIM_EXPONENTIAL(result, x)                                                                          \
  const float result##_x = (x);                                                                              \
  const float result##_shifted = result##_x * 1.44269504F + 12582912.0F;                                     \
  const float result##_n = result##_shifted - 12582912.0F;                                                   \
  const float result##_r = (result##_x - result##_n * 0.693359375F) + result##_n * 2.12194440e-4F;           \
  const float result##_sum =                                                                                 \
      (((((1.9875691500e-4F * result##_r + 1.3981999507e-3F) * result##_r + 8.3334519073e-3F) * result##_r + \
         4.1665795894e-2F) *                                                                                 \
            result##_r +                                                                                     \
        1.6666665459e-1F) *                                                                                  \
           result##_r +                                                                                      \
       5.0000001201e-1F) *                                                                                   \
          result##_r * result##_r +                                                                          \
      result##_r + 1.0F;                                                                                     \
  const float result##_all =                                                                                 \
      result##_sum * std::bit_cast<float>((std::bit_cast<uint32_t>(result##_shifted) + 127U) << 23U);        \
  const float result##_up = result##_x > 88.0F ? std::numeric_limits<float>::infinity() : result##_all;      \
  const float result = result##_x < -87.0F ? 0.0F : result##_up
