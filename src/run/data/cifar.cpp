#include "run/data/cifar.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kPixels = 3 * 32 * 32, kMostRecord = kPixels + 2;
constexpr const char* kTenNames[] = {"airplane", "automobile", "bird",  "cat",  "deer",
                                     "dog",      "frog",       "horse", "ship", "truck"};

class Cifar : public Dataset {
 public:
  Cifar(CifarKind kind, std::vector<std::string> names)
      : label_bytes_(kind == CifarKind::ten ? 1 : 2), names_(std::move(names)) {
    info_.name = names_.empty() ? "" : names_[0];
    info_.type = {{DType::f32, {3, 32, 32}}, kind == CifarKind::ten ? 10 : 100};
    info_.class_names = numbered_classes(info_.type.classes);
    if (kind == CifarKind::ten) info_.class_names.assign(std::begin(kTenNames), std::end(kTenNames));
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return last_.empty() ? 0 : last_.back(); }
  Bytes scratch() const override { return scratch_for<char>(kMostRecord); }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    const auto record = take<char>(scratch, record_bytes());
    PLIM_TRY(read(index, record, label));
    std::transform(record.begin() + label_bytes_, record.end(), floats(input).begin(),
                   [](char c) { return float(uint8_t(c)); });
    return {};
  }

  Status labels(std::span<int64_t> into) const override {
    char bytes[2];
    for (size_t i = 0; i < into.size(); ++i) PLIM_TRY(read(int64_t(i), {bytes, size_t(label_bytes_)}, into[i]));
    return {};
  }

  std::string describe(int64_t index) const override {
    const size_t file = file_of(index);
    return fmt::format("{}: sample {}", names_[file], index - first_of(file));
  }

  Status add(std::shared_ptr<const ByteSource> bytes, const std::string& name) {
    if (bytes->size() == 0 || bytes->size() % record_bytes() != 0)
      return user_error(fmt::format("has {} bytes, expected a multiple of {}, a CIFAR-{} record",
                                    with_commas(bytes->size()), with_commas(record_bytes()), info_.type.classes))
          .in(printable(name, 300));
    const int64_t records = bytes->size() / record_bytes();
    if (records > kLargestSet - size()) return user_error("has too many records").in(printable(name, 300));
    PLIM_ASSIGN(const uint64_t identity, content_identity(*bytes));
    info_.identity = joined(info_.identity, identity);
    last_.push_back(size() + records);
    files_.push_back(std::move(bytes));
    return {};
  }

  // Every label once, so that a file of another kind is refused before it is trained on.
  Status check_labels() const {
    std::vector<int64_t> all(static_cast<size_t>(size()));
    return labels(all);
  }

  DatasetInfo info_;

 private:
  int64_t record_bytes() const { return label_bytes_ + kPixels; }
  size_t file_of(int64_t index) const {
    return size_t(std::upper_bound(last_.begin(), last_.end(), index) - last_.begin());
  }
  int64_t first_of(size_t file) const { return file == 0 ? 0 : last_[file - 1]; }

  Status read(int64_t index, std::span<char> record, int64_t& label) const {
    const size_t file = file_of(index);
    const int64_t in_file = index - first_of(file);
    auto status = files_[file]->read(in_file * record_bytes(), record);
    if (!status.ok()) return std::move(status).error().in(printable(names_[file], 300));
    label = uint8_t(record[size_t(label_bytes_ - 1)]);
    if (label >= info_.type.classes)
      return user_error(fmt::format("sample {} has label {}, expected 0 to {}", in_file, label, info_.type.classes - 1))
          .in(printable(names_[file], 300));
    return {};
  }

  int64_t label_bytes_;
  std::vector<std::string> names_;
  std::vector<std::shared_ptr<const ByteSource>> files_;
  std::vector<int64_t> last_;  // of each file, the number after its last sample
};

}  // namespace

Result<DatasetPtr> read_cifar(std::vector<std::shared_ptr<const ByteSource>> files,
                              const std::vector<std::string>& names, CifarKind kind) {
  const auto cifar = std::make_shared<Cifar>(kind, names);
  for (size_t i = 0; i < files.size(); ++i) PLIM_TRY(cifar->add(std::move(files[i]), names[i]));
  if (cifar->size() == 0) return user_error("there is no file of CIFAR records");
  PLIM_TRY(cifar->check_labels());
  return DatasetPtr(cifar);
}

Result<DatasetPtr> open_cifar(const std::vector<std::string>& paths, CifarKind kind) {
  auto sources = std::make_shared<std::vector<SourceFile>>();
  const auto cifar = std::make_shared<Cifar>(kind, paths);
  for (const auto& path : paths) {
    PLIM_ASSIGN(SourceFile source, source_file(path, "CIFAR"));
    sources->push_back(std::move(source));
    auto file = open_regular_file(path, "CIFAR");
    if (!file.ok()) return std::move(file).error().in(printable(path, 300));
    PLIM_TRY(cifar->add(std::move(*file), path));
  }
  if (cifar->size() == 0) return user_error("there is no file of CIFAR records");
  PLIM_TRY(cifar->check_labels());
  cifar->info_.files = sources;
  return DatasetPtr(cifar);
}

}  // namespace plimsoll
