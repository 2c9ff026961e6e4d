// WireReader: protobuf's wire format, read forward through a small buffer. Skipping costs nothing:
// skipped bytes are not read from the source at all.
//
// Every function returns false once something failed; error() then says what, and nothing can be
// read any more. (No Result here: this is the inner loop over every field of a large file.)
#pragma once

#include <optional>
#include <vector>

#include "base/byte_source.h"

namespace plimsoll {

class WireReader {
 public:
  explicit WireReader(const ByteSource& source);

  int64_t position() const { return base_ + int64_t(at_); }
  const Error& error() const { return *error_; }
  bool fail(Error error);

  // A varint that ends before `end`.
  bool varint(int64_t end, uint64_t& value);
  // `count` bytes, appended to `out`.
  bool copy(int64_t count, std::string& out);
  void skip(int64_t count);
  // Walks over `count` bytes of packed varints and counts them.
  bool count_varints(int64_t count, int64_t& numbers);

 private:
  bool fill();
  bool slow_varint(int64_t end, uint64_t& value);

  const ByteSource& source_;
  std::vector<char> buffer_;
  int64_t base_ = 0;   // the position of the buffer's first byte
  size_t at_ = 0;      // where we are in the buffer; may be past filled_ after a skip
  size_t filled_ = 0;  // how much of the buffer is read
  std::optional<Error> error_;
};

inline bool WireReader::varint(int64_t end, uint64_t& value) {
  if (at_ < filled_ && position() < end && !error_) {
    const auto byte = static_cast<unsigned char>(buffer_[at_]);
    if (byte < 0x80) {
      value = byte;
      ++at_;
      return true;
    }
  }
  return slow_varint(end, value);
}

}  // namespace plimsoll
