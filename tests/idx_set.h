// A small data set in IDX files that a network can learn: each class is a bright row of its own. For tests of the
// command line.
#pragma once

#include <string>

#include "tests/big_endian.h"
#include "tests/harness/run_program.h"

namespace plimsoll {

inline void write_idx_part(const TemporaryFolder& folder, const std::string& part, uint32_t samples, uint32_t size,
                           uint32_t classes) {
  std::string images = big_endian(0x803) + big_endian(samples) + big_endian(size) + big_endian(size);
  std::string labels = big_endian(0x801) + big_endian(samples);
  for (uint32_t i = 0; i < samples; ++i) {
    const uint32_t label = i % classes;
    labels.push_back(char(label));
    for (uint32_t y = 0; y < size; ++y)
      for (uint32_t x = 0; x < size; ++x)
        images.push_back(char((i * 2654435761u + y * 40503u + x * 9973u) % 100 + (y == label ? 150 : 0)));
  }
  folder.write(part + "-images-idx3-ubyte", images);
  folder.write(part + "-labels-idx1-ubyte", labels);
}

// train and t10k, as MNIST calls them.
inline void write_idx_set(const TemporaryFolder& folder, uint32_t samples = 120, uint32_t size = 8,
                          uint32_t classes = 4) {
  write_idx_part(folder, "train", samples, size, classes);
  write_idx_part(folder, "t10k", samples / 4, size, classes);
}

}  // namespace plimsoll
