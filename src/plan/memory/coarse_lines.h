// CoarseLines: SizeRules of a device where storages and workspaces begin at coarser lines than kAlignment (pack.h).
#pragma once

#include <cstdint>

namespace plimsoll {

class CoarseLines {
 public:
  virtual int64_t line() const = 0;  // in bytes, a multiple of kAlignment

 protected:
  ~CoarseLines() = default;
};

}  // namespace plimsoll
