// Numbers packed into 16 bits, bf16 or f16, for their way between workers.
//
// f16 ends at 65,504 and grows coarse below 6e-5, gradients know no such limits: they are multiplied by a power of two
// first, so that the largest is just below 2^15. Nothing overflows, and only what is 2^29 times smaller than the
// largest loses digits. bf16 has the range of f32 and needs no power.
#pragma once

#include <cstdint>
#include <span>

#include "base/dtype.h"

namespace plimsoll {

// For numbers as large as the largest of these. 0 where one of them is infinite.
int16_t packing_power(DType format, std::span<const float> numbers);

// Returns the squared length of what rounding has changed.
double pack(DType format, int16_t power, std::span<const float> numbers, uint16_t* into);
void unpack(DType format, int16_t power, const uint16_t* packed, std::span<float> into);
void add_unpacked(DType format, int16_t power, const uint16_t* packed, std::span<float> into);

}  // namespace plimsoll
