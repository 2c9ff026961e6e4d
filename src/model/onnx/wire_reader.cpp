#include "model/onnx/wire_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr size_t kBuffer = 64 * 1024;
constexpr int kLongestVarint = 10;

}  // namespace

WireReader::WireReader(const ByteSource& source) : source_(source), buffer_(kBuffer) {}

bool WireReader::fail(Error error) {
  if (!error_) error_ = std::move(error);
  return false;
}

// Makes the byte at position() available. Callers have checked that the source has it.
bool WireReader::fill() {
  if (error_) return false;
  if (at_ < filled_) return true;
  base_ = position();
  at_ = 0;
  filled_ = size_t(std::min<int64_t>(int64_t(buffer_.size()), source_.size() - base_));
  auto status = source_.read(base_, std::span(buffer_.data(), filled_));
  return status.ok() || fail(std::move(status).error());
}

bool WireReader::slow_varint(int64_t end, uint64_t& value) {
  const int64_t start = position();
  value = 0;
  for (int i = 0; i < kLongestVarint; ++i) {
    if (position() >= end)
      return fail(
          user_error(fmt::format("truncated at byte {}: a number that starts at byte {} does not end", end, start)));
    if (!fill()) return false;
    const auto byte = static_cast<unsigned char>(buffer_[at_++]);
    if (i == kLongestVarint - 1 && byte > 1) break;
    value |= uint64_t(byte & 0x7F) << (7 * i);
    if (byte < 0x80) return true;
  }
  return fail(user_error(fmt::format("damaged at byte {}: a number is longer than 64 bits", start)));
}

bool WireReader::copy(int64_t count, std::string& out) {
  while (count > 0) {
    if (!fill()) return false;
    const size_t part = size_t(std::min<int64_t>(count, int64_t(filled_ - at_)));
    out.append(buffer_.data() + at_, part);
    at_ += part;
    count -= int64_t(part);
  }
  return !error_;
}

void WireReader::skip(int64_t count) {
  if (count <= int64_t(filled_) - int64_t(at_)) {
    at_ += size_t(count);
    return;
  }
  base_ = position() + count;
  at_ = filled_ = 0;
}

bool WireReader::count_varints(int64_t count, int64_t& numbers) {
  const int64_t end = position() + count;
  uint64_t ignored = 0;
  numbers = 0;
  while (position() < end) {
    if (!varint(end, ignored)) return false;
    ++numbers;
  }
  return true;
}

}  // namespace plimsoll
