// AlignedMemory: bytes on a 64-byte boundary, allocated and touched once, so that they are resident from the start.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "base/units.h"

namespace plimsoll {

class AlignedMemory {
 public:
  AlignedMemory() = default;
  explicit AlignedMemory(Bytes size)
      : size_(size_t(rounded(size).value())),
        bytes_(size_ == 0 ? nullptr : static_cast<std::byte*>(std::aligned_alloc(64, size_))) {
    if (bytes_) std::memset(bytes_.get(), 0, size_);
  }
  static Bytes rounded(Bytes size) { return Bytes((size.value() + 63) / 64 * 64); }

  bool ok() const { return size_ == 0 || bytes_ != nullptr; }
  std::span<std::byte> span() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  size_t size_ = 0;
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace plimsoll
