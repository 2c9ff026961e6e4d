// ByteSource: bytes by position, from a file or from memory. A file is read with pread, never
// mapped: what is skipped is never resident, and a file that shrinks is an error and not a signal.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual int64_t size() const = 0;
  // Fills `into` with the bytes from `offset` on; an error when they are not all there.
  virtual Status read(int64_t offset, std::span<char> into) const = 0;
};

// Borrows the bytes.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  int64_t size() const override { return int64_t(bytes_.size()); }
  Status read(int64_t offset, std::span<char> into) const override;

 private:
  std::string_view bytes_;
};

// A file descriptor that is closed with its owner.
class FileHandle {
 public:
  explicit FileHandle(int fd = -1) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileHandle();
  int fd() const { return fd_; }

 private:
  int fd_;
};

class FileSource : public ByteSource {
 public:
  FileSource(FileHandle file, int64_t size) : file_(std::move(file)), size_(size) {}
  int64_t size() const override { return size_; }
  Status read(int64_t offset, std::span<char> into) const override;

 private:
  FileHandle file_;
  int64_t size_;
};

// Opens a regular file. Anything else that has the name (a folder, a FIFO, a device) is an error
// that says what it is, found without waiting for it; a missing file names its neighbours that end
// in `extension`.
Result<std::unique_ptr<ByteSource>> open_regular_file(const std::string& path, const std::string& extension = ".onnx");

}  // namespace plimsoll
