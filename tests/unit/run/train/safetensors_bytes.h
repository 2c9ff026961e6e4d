// Safetensors files as bytes in memory, for tests.
#pragma once

#include <cstring>
#include <string>

#include "run/train/safetensors.h"

namespace plimsoll {

// A file with this header, its length before it, and so many bytes of data.
inline std::string safetensors_bytes(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_bytes, '\x01');
}

// Owns its bytes, so that a reader can outlive the caller's.
class OwnedSource : public ByteSource {
 public:
  explicit OwnedSource(std::string bytes) : bytes_(std::move(bytes)) {}
  int64_t size() const override { return int64_t(bytes_.size()); }
  Status read(int64_t offset, std::span<char> into) const override { return MemorySource(bytes_).read(offset, into); }

 private:
  std::string bytes_;
};

inline Result<SafetensorsReader> read_bytes(std::string bytes) {
  return SafetensorsReader::read_from(std::make_unique<OwnedSource>(std::move(bytes)));
}

}  // namespace plimsoll
