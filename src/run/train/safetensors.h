// Safetensors files, read and written tensor by tensor: neither takes memory beyond the header and the bytes that the
// caller brings. A reader is strict (safetensors_header.h), so nothing in a file can run, point outside or surprise.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/byte_source.h"
#include "base/file_beside.h"
#include "run/train/safetensors_header.h"

namespace plimsoll {

class SafetensorsReader {
 public:
  static Result<SafetensorsReader> open(const std::string& path);
  static Result<SafetensorsReader> read_from(std::unique_ptr<ByteSource> source);

  const SafetensorsHeader& header() const { return header_; }
  const StoredTensor* find(std::string_view name) const;

  // `into` is exactly the tensor's size.
  Status read(const StoredTensor& tensor, std::span<std::byte> into) const;
  // The bytes from `first` on.
  Status read_part(const StoredTensor& tensor, int64_t first, std::span<std::byte> into) const;

  // CRC-32 of the whole file, in passes of a few KiB.
  Result<uint32_t> checksum() const;

  int64_t file_bytes() const { return source_->size(); }

 private:
  SafetensorsReader(std::unique_ptr<ByteSource> source, SafetensorsHeader header, int64_t data)
      : source_(std::move(source)), header_(std::move(header)), data_(data) {}

  std::unique_ptr<ByteSource> source_;
  SafetensorsHeader header_;
  int64_t data_;  // where the first tensor's bytes are
};

// What is going to be written: offsets are set here.
SafetensorsHeader lay_out(std::vector<StoredTensor> tensors, std::map<std::string, std::string> metadata);
int64_t safetensors_file_bytes(const SafetensorsHeader& header);

// Writes the tensors in the header's order; the file takes its place with finish().
class SafetensorsWriter {
 public:
  static Result<SafetensorsWriter> create(const std::string& path, const SafetensorsHeader& header);

  Status append(std::span<const std::byte> bytes);
  Status finish();  // every byte that the header promises has been appended

  uint32_t checksum() const { return checksum_; }  // CRC-32 of what was written so far

 private:
  SafetensorsWriter(FileBeside file, int64_t expected) : file_(std::move(file)), left_(expected) {}

  FileBeside file_;
  int64_t left_;
  uint32_t checksum_ = 0;
};

}  // namespace plimsoll
