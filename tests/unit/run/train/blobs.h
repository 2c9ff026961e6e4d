// A made-up dataset that a small network can learn: each class is a bright row of its own in a noisy picture.
#pragma once

#include <limits>

#include "run/data/dataset.h"

namespace plimsoll {

class Blobs : public Dataset {
 public:
  Blobs(int64_t size, Shape picture = {1, 6, 6}, int64_t classes = 3, int64_t poisoned = -1)
      : size_(size), poisoned_(poisoned) {
    info_.name = "blobs";
    info_.type = {{DType::f32, std::move(picture)}, classes};
    info_.class_names = numbered_classes(classes);
    info_.files = std::make_shared<std::vector<SourceFile>>();
    info_.identity = uint64_t(size);
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label, std::span<std::byte>) const override {
    label = index % info_.type.classes;
    const auto numbers = floats(input);
    const auto columns = size_t(info_.type.input.shape[2]);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto noise = float(uint32_t(index * 2654435761u + i * 40503u) % 1000) / 1000.0f;
      numbers[i] = noise + (int64_t(i / columns) == label ? 1.0f : 0.0f);
    }
    if (index == poisoned_) numbers[0] = std::numeric_limits<float>::infinity();
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    for (size_t i = 0; i < into.size(); ++i) into[i] = int64_t(i) % info_.type.classes;
    return {};
  }
  std::string describe(int64_t index) const override { return "blob " + std::to_string(index); }

 private:
  DatasetInfo info_;
  int64_t size_, poisoned_;
};

}  // namespace plimsoll
