// Small datasets for tests, written as files; and reading a whole dataset.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/data/aligned_memory.h"
#include "run/data/dataset.h"
#include "tests/big_endian.h"

namespace plimsoll {

// IDX bytes: a header with these dimensions, then `body`.
inline std::string idx_bytes(const std::vector<uint32_t>& dims, const std::string& body) {
  std::string bytes{'\0', '\0', '\x08', char(dims.size())};
  for (const uint32_t dim : dims) bytes += big_endian(dim);
  return bytes + body;
}

// Pictures of `count` x 4 x 5 whose pixels are all 10 * their number; labels are number % 3.
inline std::string idx_images(uint32_t count) {
  std::string body;
  for (uint32_t i = 0; i < count; ++i) body += std::string(20, char(10 * i));
  return idx_bytes({count, 4, 5}, body);
}
inline std::string idx_labels(uint32_t count) {
  std::string body;
  for (uint32_t i = 0; i < count; ++i) body += char(i % 3);
  return idx_bytes({count}, body);
}

// One CIFAR-10 record; every pixel is `pixel`.
inline std::string cifar_record(int label, int pixel) { return char(label) + std::string(3072, char(pixel)); }

struct Read {
  std::vector<float> numbers;
  int64_t label = -1;
};

inline Result<Read> read_sample(const Dataset& dataset, int64_t index, int64_t epoch = 0) {
  const Bytes size = dataset.info().type.input.bytes();
  const AlignedMemory scratch(dataset.scratch());
  Read read;
  read.numbers.resize(size_t(size.value()) / sizeof(float));
  PLIM_TRY(dataset.get(index, epoch, std::as_writable_bytes(std::span(read.numbers)), read.label, scratch.span()));
  return read;
}

}  // namespace plimsoll
