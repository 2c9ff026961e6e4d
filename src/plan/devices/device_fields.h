// The numbers a device file can have: one row each, with the units it can be written in and where it goes.
// The reader, its messages and the documents follow this table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plan/devices/device.h"

namespace plimsoll {

struct UnitName {
  std::string_view name;
  double size;  // in the base unit: bytes, bytes per second, hertz, operations per second, …
};

struct FigureField {
  std::string_view name;
  std::span<const UnitName> units;
  bool whole;                                 // counts, and bytes once the unit is applied
  void (*set)(Device& device, double value);  // in the base unit
};

std::span<const FigureField> all_figure_fields();

// Units of the tables "peak", "matrix_peak", "core_peak" and "gemm_rate": of floating formats FLOP/s, of integer
// formats OP/s.
std::span<const UnitName> peak_units(DType type);

std::string unit_names(std::span<const UnitName> units);  // "B, KB, MB, …"

}  // namespace plimsoll
