#include "run/data/idx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "run/data/inflate.h"

namespace plimsoll {
namespace {

struct IdxHeader {
  std::vector<int64_t> dims;  // the first is the number of items
  int64_t start = 0;          // of the numbers, in bytes
  int64_t item = 1;           // bytes of one item

  int64_t file_size() const { return start + dims[0] * item; }
};

std::string hex(std::span<const unsigned char> bytes) { return fmt::format("{:02x}", fmt::join(bytes, " ")); }

Error bad_magic(std::span<const unsigned char> magic) {
  if (magic[2] == 0 && magic[3] == 0 && magic[1] == 8)
    return user_error("its header is little-endian, expected a big-endian IDX header");
  return user_error(fmt::format("begins with {}, expected 00 00 08 and the number of dimensions, as IDX files do",
                                hex(magic.first(4))));
}

// Bytes of one item and of the whole stay in 62 bits: each dimension has at most 32, and is checked as it is
// multiplied.
Result<IdxHeader> parse_header(std::span<const unsigned char> bytes) {
  if (bytes.size() < 4) return user_error(fmt::format("has {} bytes, too few for an IDX header", bytes.size()));
  if (bytes[0] != 0 || bytes[1] != 0) return bad_magic(bytes);
  if (bytes[2] != 8)
    return user_error(fmt::format("holds numbers of IDX type 0x{:02x}, expected 0x08 (bytes)", bytes[2]));
  const int rank = bytes[3];
  if (rank < 1 || rank > 4) return user_error(fmt::format("has {} dimensions, expected 1 to 4", rank));
  IdxHeader header{.start = 4 + 4 * int64_t{rank}};
  if (int64_t(bytes.size()) < header.start)
    return user_error(fmt::format("has {} bytes, too few for an IDX header of {} dimensions", bytes.size(), rank));
  for (int axis = 0; axis < rank; ++axis) {
    const auto* at = &bytes[4 + 4 * size_t(axis)];
    header.dims.push_back(int64_t{at[0]} << 24 | int64_t{at[1]} << 16 | int64_t{at[2]} << 8 | at[3]);
    if (axis == 0) continue;
    if (header.dims.back() < 1) return user_error("states a picture without pixels");
    if (header.dims.back() > kMostPixels / header.item)
      return user_error(fmt::format("states pictures of more than {} numbers", with_commas(kMostPixels)));
    header.item *= header.dims.back();
  }
  if (header.dims[0] > kLargestSet)
    return user_error(
        fmt::format("states {} items, expected at most {}", with_commas(header.dims[0]), with_commas(kLargestSet)));
  return header;
}

Result<int64_t> idx_size(std::span<const unsigned char> bytes) {
  PLIM_ASSIGN(const IdxHeader header, parse_header(bytes));
  return header.file_size();
}

Result<IdxHeader> read_header(const ByteSource& file) {
  std::array<unsigned char, 64> bytes{};
  const auto count = size_t(std::min<int64_t>(file.size(), 64));
  PLIM_TRY(file.read(0, {reinterpret_cast<char*>(bytes.data()), count}));
  PLIM_ASSIGN(IdxHeader header, parse_header(std::span(bytes).first(count)));
  if (header.file_size() != file.size())
    return user_error(fmt::format("has {} bytes, but its header states {} items: {} bytes", with_commas(file.size()),
                                  with_commas(header.dims[0]), with_commas(header.file_size())));
  return header;
}

class Idx : public Dataset {
 public:
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return images_header_.dims[0]; }
  Bytes scratch() const override { return scratch_for<unsigned char>(images_header_.item); }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    const auto pixels = take<char>(scratch, images_header_.item);
    auto status = images_->read(images_header_.start + index * images_header_.item, pixels);
    if (!status.ok()) return std::move(status).error().in(printable(names_.images, 300));
    PLIM_TRY(read_labels(index, {&label, 1}));
    std::transform(pixels.begin(), pixels.end(), floats(input).begin(), [](char c) { return float(uint8_t(c)); });
    return {};
  }

  Status labels(std::span<int64_t> into) const override { return read_labels(0, into); }

  std::string describe(int64_t index) const override { return fmt::format("{}: sample {}", names_.images, index); }

  Status open(std::optional<int64_t> classes) {
    auto header = read_header(*images_);
    if (!header.ok()) return std::move(header).error().in(printable(names_.images, 300));
    auto of_labels = read_header(*labels_);
    if (!of_labels.ok()) return std::move(of_labels).error().in(printable(names_.labels, 300));
    images_header_ = *header;
    labels_header_ = *of_labels;
    if (header->dims.size() < 3 || of_labels->dims.size() != 1)
      return user_error(fmt::format("have {} and {} dimensions, expected 3 (pictures) and 1 (labels)",
                                    header->dims.size(), of_labels->dims.size()),
                        "are they the other way round?")
          .in(fmt::format("{} and {}", printable(names_.images, 300), printable(names_.labels, 300)));
    if (header->dims[0] != of_labels->dims[0])
      return user_error(fmt::format("has {} labels for the {} pictures of {}", with_commas(of_labels->dims[0]),
                                    with_commas(header->dims[0]), printable(names_.images, 300)))
          .in(printable(names_.labels, 300));
    PLIM_TRY(count_classes(classes));
    return describe_all();
  }

  std::shared_ptr<const ByteSource> images_, labels_;
  IdxFiles names_;
  DatasetInfo info_;

 private:
  Status read_labels(int64_t first, std::span<int64_t> into) const {
    std::array<char, 4096> block;
    for (size_t done = 0; done < into.size();) {
      const size_t count = std::min(block.size(), into.size() - done);
      auto status = labels_->read(labels_header_.start + first + int64_t(done), std::span(block).first(count));
      if (!status.ok()) return std::move(status).error().in(printable(names_.labels, 300));
      for (size_t i = 0; i < count; ++i) {
        into[done + i] = uint8_t(block[i]);
        if (info_.type.classes > 0 && into[done + i] >= info_.type.classes)
          return user_error(fmt::format("sample {} has label {}, expected 0 to {}", first + int64_t(done + i),
                                        into[done + i], info_.type.classes - 1))
              .in(printable(names_.labels, 300));
      }
      done += count;
    }
    return {};
  }

  Status count_classes(std::optional<int64_t> classes) {
    if (size() == 0) return user_error("has no samples").in(printable(names_.images, 300));
    info_.type.classes = classes.value_or(0);
    std::vector<int64_t> all(static_cast<size_t>(size()));
    PLIM_TRY(labels(all));
    if (!classes) info_.type.classes = *std::max_element(all.begin(), all.end()) + 1;
    return {};
  }

  Status describe_all() {
    const auto& dims = images_header_.dims;
    info_.type.input = {DType::f32, dims.size() == 3 ? Shape{1, dims[1], dims[2]} : Shape{dims[1], dims[2], dims[3]}};
    info_.class_names = numbered_classes(info_.type.classes);
    PLIM_ASSIGN(const uint64_t of_images, content_identity(*images_));
    PLIM_ASSIGN(const uint64_t of_labels, content_identity(*labels_));
    info_.identity = joined(of_images, of_labels);
    return {};
  }

  IdxHeader images_header_, labels_header_;
};

}  // namespace

Result<DatasetPtr> read_idx(std::shared_ptr<const ByteSource> images, std::shared_ptr<const ByteSource> labels,
                            const IdxFiles& names, std::optional<int64_t> classes) {
  const auto idx = std::make_shared<Idx>();
  idx->images_ = std::move(images);
  idx->labels_ = std::move(labels);
  idx->names_ = names;
  idx->info_.name = names.images;
  PLIM_TRY(idx->open(classes));
  return DatasetPtr(idx);
}

Result<DatasetPtr> open_idx(const IdxFiles& files, std::optional<int64_t> classes) {
  auto sources = std::make_shared<std::vector<SourceFile>>();
  for (const auto& path : {files.images, files.labels}) {
    PLIM_ASSIGN(SourceFile source, source_file(path, "IDX"));
    sources->push_back(std::move(source));
  }
  PLIM_ASSIGN(auto images, open_maybe_gzip(files.images, "IDX", idx_size));
  PLIM_ASSIGN(auto labels, open_maybe_gzip(files.labels, "IDX", idx_size));
  const auto idx = std::make_shared<Idx>();
  idx->images_ = std::move(images);
  idx->labels_ = std::move(labels);
  idx->names_ = files;
  idx->info_.name = files.images;
  idx->info_.files = sources;
  PLIM_TRY(idx->open(classes));
  return DatasetPtr(idx);
}

}  // namespace plimsoll
