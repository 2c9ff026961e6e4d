// Dataset: samples by number. A format is a file beside this one and a line in all_datasets.cpp; splitting, resizing,
// normalising and augmenting are datasets around a dataset.
//
// A dataset holds no samples: get() reads one from its file (pread) into memory of the caller's. All of it may be
// called from several threads at once. What get() needs to work in is the caller's as well (scratch), so that nothing
// is allocated while samples are read and all memory can be counted before.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/ir/tensor.h"
#include "run/data/source_file.h"

namespace plimsoll {

// One sample, without a batch axis: f32 CHW pictures, or i64 tokens.
struct SampleType {
  TensorType input;
  int64_t classes = 0;
};

// How many pictures have a size, before they are brought to one.
struct SizeCount {
  int64_t height = 0, width = 0, count = 0;
};

struct DatasetInfo {
  std::string name;
  SampleType type;
  std::vector<std::string> class_names;                  // one a class; numbers where the set has no names
  std::shared_ptr<const std::vector<SourceFile>> files;  // what it is read from; empty for made-up samples
  uint64_t identity = 0;                                 // of names, sizes and content: another one is another set
  Bytes memory;                                          // what the dataset itself holds, such as lists of names
  std::vector<std::string> warnings;                     // sentences for the user
  std::vector<SizeCount> sizes;                          // commonest first, where pictures have sizes of their own
};

class Dataset {
 public:
  virtual ~Dataset() = default;

  virtual const DatasetInfo& info() const = 0;
  virtual int64_t size() const = 0;

  // What get() needs to work in, for each thread that calls it.
  virtual Bytes scratch() const { return Bytes(0); }

  // Sample `index` (0 to size() - 1) as epoch `epoch` sees it; only augmentation differs from epoch to epoch. `input`
  // is exactly info().type.input.bytes(), row major; pixels are 0 to 255 until they are normalised. An Error of the
  // user's kind is a bad sample, with its file's name; one of the environment's kind a file that changed.
  virtual Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
                     std::span<std::byte> scratch) const = 0;

  // The labels of all samples, without their inputs.
  virtual Status labels(std::span<int64_t> into) const = 0;

  // "cats/17.jpg", "sample 17 of data_batch_1.bin": for messages.
  virtual std::string describe(int64_t index) const = 0;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

// A dataset around a dataset: everything is the inner one's unless it says otherwise.
class DatasetAround : public Dataset {
 public:
  explicit DatasetAround(DatasetPtr inner) : inner_(std::move(inner)), info_(inner_->info()) {}
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return inner_->size(); }
  Bytes scratch() const override { return inner_->scratch(); }
  Status labels(std::span<int64_t> into) const override { return inner_->labels(into); }
  std::string describe(int64_t index) const override { return inner_->describe(index); }

 protected:
  DatasetPtr inner_;
  DatasetInfo info_;
};

// Whether all files are still what they were when the dataset was opened; the error names the file.
Status check_unchanged(const Dataset& dataset);

// Cuts `count` numbers off the front of scratch memory. Pieces start at multiples of 64 bytes, and scratch_for says
// what one takes.
template <class Number>
constexpr Bytes scratch_for(int64_t count) {
  return Bytes((count * int64_t{sizeof(Number)} + 63) / 64 * 64);
}
template <class Number>
std::span<Number> take(std::span<std::byte>& scratch, int64_t count) {
  const auto bytes = size_t(scratch_for<Number>(count).value());
  PLIM_CHECK(scratch.size() >= bytes, "scratch memory is smaller than scratch() said");
  const std::span<Number> piece(reinterpret_cast<Number*>(scratch.data()), size_t(count));
  scratch = scratch.subspan(bytes);
  return piece;
}

// The numbers of a sample.
inline std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

// The names of `count` classes that have none: "0", "1", …
std::vector<std::string> numbered_classes(int64_t count);

inline constexpr int64_t kLargestSet = int64_t{1} << 31, kMostPixels = int64_t{1} << 26, kMostClasses = 100'000;

}  // namespace plimsoll
