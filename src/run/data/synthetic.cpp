#include "run/data/synthetic.h"

#include <fmt/format.h>

#include <cstring>

#include "model/ops/counter_random.h"

namespace plimsoll {
namespace {

class Synthetic : public Dataset {
 public:
  Synthetic(const SampleType& type, int64_t size, uint64_t seed, int64_t tokens)
      : size_(size), tokens_(tokens), key_(scatter_bits(seed)) {
    info_.name = "synthetic";
    info_.type = type;
    info_.class_names = numbered_classes(type.classes);
    info_.identity = joined(joined(key_, uint64_t(size)), type.input.shape.text());
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label, std::span<std::byte>) const override {
    label = label_of(index);
    uint64_t bits = key_ ^ uint64_t(index);
    const bool picture = info_.type.input.dtype == DType::f32;
    const size_t step = picture ? sizeof(float) : sizeof(int64_t);
    for (size_t at = 0; at + step <= input.size(); at += step) {
      bits = scatter_bits(bits);
      const float pixel = float(bits >> 40) * (255.0F / float(1 << 24));
      const int64_t token = int64_t(bits % uint64_t(tokens_));
      std::memcpy(&input[at], picture ? static_cast<const void*>(&pixel) : &token, step);
    }
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    for (size_t i = 0; i < into.size(); ++i) into[i] = label_of(int64_t(i));
    return {};
  }
  std::string describe(int64_t index) const override { return fmt::format("synthetic sample {}", index); }

 private:
  int64_t label_of(int64_t index) const {
    return int64_t(scatter_bits(~key_ ^ uint64_t(index)) % uint64_t(info_.type.classes));
  }

  DatasetInfo info_;
  int64_t size_, tokens_;
  uint64_t key_;
};

}  // namespace

Result<DatasetPtr> synthetic(const SampleType& type, int64_t size, uint64_t seed, int64_t tokens) {
  if (type.input.dtype != DType::f32 && type.input.dtype != DType::i64)
    return user_error(fmt::format("samples of {} cannot be made up, expected f32 or i64", name_of(type.input.dtype)));
  if (size < 1 || size > kLargestSet || type.classes < 1 || tokens < 1)
    return user_error(fmt::format("{} samples of {} classes cannot be made up", size, type.classes));
  return DatasetPtr(std::make_shared<Synthetic>(type, size, seed, tokens));
}

}  // namespace plimsoll
