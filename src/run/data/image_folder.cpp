#include "run/data/image_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/loose_name.h"
#include "base/text.h"
#include "run/data/picture.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

bool is_picture_name(const fs::path& path) {
  const std::string extension = lower_case(path.extension().string());
  constexpr std::string_view kExtensions[] = {".jpg", ".jpeg", ".png", ".webp", ".bmp"};
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) != std::end(kExtensions);
}

struct Listing {
  std::vector<fs::path> folders, pictures;
  int64_t others = 0;
  std::string other;  // one of them
};

// What is in a folder, by name. Broken links and what cannot be looked at count as others.
Result<Listing> list(const fs::path& folder) {
  Listing listing;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.filename().string().starts_with(".")) continue;
    std::error_code of_this;
    if (fs::is_directory(path, of_this)) listing.folders.push_back(path);
    else if (is_picture_name(path)) listing.pictures.push_back(path);
    else if (listing.others++ == 0) listing.other = path.filename().string();
  }
  if (error) return user_error(fmt::format("cannot be read: {}", error.message())).in(printable(folder.string(), 300));
  std::sort(listing.folders.begin(), listing.folders.end());
  std::sort(listing.pictures.begin(), listing.pictures.end());
  return listing;
}

class ImageFolder : public Dataset {
 public:
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return int64_t(classes_.size()); }
  Bytes scratch() const override {
    return scratch_for<char>(largest_file_) + scratch_for<uint8_t>(largest_picture_) +
           scratch_for<float>(largest_resize_);
  }

  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    label = classes_[size_t(index)];
    auto status = read((*info_.files)[size_t(index)], input, scratch);
    if (!status.ok()) return std::move(status).error().in(describe(index));
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    std::copy(classes_.begin(), classes_.end(), into.begin());
    return {};
  }
  std::string describe(int64_t index) const override { return printable((*info_.files)[size_t(index)].path, 300); }

  Status open(const std::string& path, const ImageFolderOptions& options) {
    info_.name = path;
    PLIM_TRY(find_files(path, options.classes));
    PLIM_TRY(read_headers(options.input));
    info_.type.classes = int64_t(info_.class_names.size());
    info_.memory = Bytes(int64_t(classes_.capacity() * sizeof(uint32_t)));
    info_.memory += Bytes(int64_t(info_.sizes.size() * sizeof(SizeCount)));
    for (const auto& file : *info_.files) info_.memory += Bytes(int64_t(sizeof(SourceFile) + file.path.capacity()));
    return {};
  }

 private:
  Status find_files(const std::string& path, const std::vector<std::string>& classes);
  void warn_of_names();
  Status add_class(const fs::path& folder, uint32_t label, std::vector<SourceFile>& files);
  Status read_headers(const std::optional<Shape>& input);
  void keep_largest(const PictureHeader& header, int64_t file_size);

  Status read(const SourceFile& file, std::span<std::byte> input, std::span<std::byte> scratch) const;

  DatasetInfo info_;
  std::vector<uint32_t> classes_;
  int64_t largest_file_ = 0, largest_picture_ = 0, largest_resize_ = 0;
};

Status ImageFolder::find_files(const std::string& path, const std::vector<std::string>& classes) {
  PLIM_ASSIGN(const Listing root, list(path));
  info_.class_names = classes;
  if (classes.empty())
    for (const auto& folder : root.folders) info_.class_names.push_back(folder.filename().string());
  if (info_.class_names.empty())
    return user_error("has no folders, expected one for each class with its pictures inside").in(printable(path, 300));
  if (int64_t(info_.class_names.size()) > kMostClasses)
    return user_error(
               fmt::format("has {} folders, expected at most {} classes", info_.class_names.size(), kMostClasses))
        .in(printable(path, 300));
  auto files = std::make_shared<std::vector<SourceFile>>();
  for (const auto& folder : root.folders) {
    const auto found = std::find(info_.class_names.begin(), info_.class_names.end(), folder.filename().string());
    if (found == info_.class_names.end())
      return user_error(fmt::format("is a class that the training part does not have, expected {}",
                                    printable(fmt::format("{}", fmt::join(info_.class_names, ", ")), 200)))
          .in(printable(folder.string(), 300));
    PLIM_TRY(add_class(folder, uint32_t(found - info_.class_names.begin()), *files));
  }
  if (files->empty())
    return user_error("has no JPEG, PNG, WebP or BMP pictures in its folders").in(printable(path, 300));
  if (root.others + int64_t(root.pictures.size()) > 0)
    info_.warnings.push_back(
        fmt::format("{} files beside the class folders are ignored.", root.others + int64_t(root.pictures.size())));
  info_.files = files;
  warn_of_names();
  return {};
}

void ImageFolder::warn_of_names() {
  if (info_.class_names.size() == 1)
    info_.warnings.push_back(fmt::format("There is only one class, {}.", plimsoll::in_quotes(info_.class_names[0])));
  std::map<std::string, std::string> seen;
  for (const auto& name : info_.class_names) {
    const auto [other, is_new] = seen.emplace(lower_case(name), name);
    if (!is_new)
      info_.warnings.push_back(fmt::format("Classes {} and {} differ by case alone.",
                                           plimsoll::in_quotes(other->second), plimsoll::in_quotes(name)));
  }
}

Status ImageFolder::add_class(const fs::path& folder, uint32_t label, std::vector<SourceFile>& files) {
  PLIM_ASSIGN(const Listing inside, list(folder));
  const std::string name = plimsoll::in_quotes(folder.filename().string());
  for (const auto& picture : inside.pictures) {
    auto file = source_file(picture.string(), "picture");
    // What cannot be opened stays in the list: it is a bad sample, and is named when it is asked for.
    files.push_back(file.ok() ? std::move(*file) : SourceFile{picture.string(), Bytes(0), 0});
    classes_.push_back(label);
    info_.identity = joined(joined(info_.identity, folder.filename().string()), picture.filename().string());
    info_.identity = joined(info_.identity, uint64_t(files.back().size.value()));
  }
  if (int64_t(files.size()) > kLargestSet) return user_error("has too many pictures").in(printable(folder.string()));
  if (inside.pictures.empty()) info_.warnings.push_back(fmt::format("Class {} has no pictures.", name));
  if (inside.others > 0)
    info_.warnings.push_back(
        fmt::format("Class {}: {} files that are not pictures by their names are ignored, such as {}.", name,
                    inside.others, plimsoll::in_quotes(inside.other)));
  if (!inside.folders.empty())
    info_.warnings.push_back(fmt::format("Class {}: {} folders inside it are ignored.", name, inside.folders.size()));
  return {};
}

Status ImageFolder::read_headers(const std::optional<Shape>& input) {
  std::vector<std::pair<PictureHeader, int64_t>> headers;  // with the file's size
  std::map<std::pair<int64_t, int64_t>, int64_t> sizes;
  for (const auto& file : *info_.files) {
    const auto bytes = open_regular_file(file.path, "picture");
    if (!bytes.ok()) continue;
    const auto header = picture_header(**bytes);
    if (!header.ok()) continue;
    headers.emplace_back(*header, file.size.value());
    ++sizes[{header->size.height, header->size.width}];
  }
  if (headers.empty()) return user_error("has no picture that can be read").in(printable(info_.name, 300));
  for (const auto& [size, count] : sizes) info_.sizes.push_back({size.first, size.second, count});
  std::stable_sort(info_.sizes.begin(), info_.sizes.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  info_.type.input = {DType::f32, input.value_or(Shape{3, info_.sizes[0].height, info_.sizes[0].width})};
  const Shape& shape = info_.type.input.shape;
  if (shape.rank() != 3 || (shape[0] != 1 && shape[0] != 3) || shape.elements().value() > kMostPixels)
    return user_error(fmt::format("pictures cannot become {}, expected 1 or 3 channels x height x width", shape.text()))
        .in(printable(info_.name, 300));
  if (sizes.size() > 1 && !input)
    info_.warnings.push_back(fmt::format("Pictures have {} different sizes; all are brought to {}, the commonest.",
                                         sizes.size(), shape.text()));
  for (const auto& [header, file_size] : headers) keep_largest(header, file_size);
  return {};
}

void ImageFolder::keep_largest(const PictureHeader& header, int64_t file_size) {
  const Shape& shape = info_.type.input.shape;
  const PlaneSize target{shape[1], shape[2]}, decoded = decoded_size(header, target);
  largest_file_ = std::max(largest_file_, file_size);
  largest_picture_ = std::max(largest_picture_, decoded.height * decoded.width * shape[0]);
  if (decoded != target) largest_resize_ = std::max(largest_resize_, resize_scratch(decoded, target, shape[0]));
}

Status ImageFolder::read(const SourceFile& file, std::span<std::byte> input, std::span<std::byte> scratch) const {
  auto opened = open_regular_file(file.path, "picture");
  if (!opened.ok()) {
    std::error_code error;
    if (file.size.value() > 0 && !fs::exists(file.path, error))
      return environment_error("was removed after it was opened");
    return std::move(opened).error();
  }
  const ByteSource& bytes = **opened;
  if (bytes.size() != file.size.value())
    return environment_error(fmt::format("had {} bytes when it was opened and has {} now",
                                         with_commas(file.size.value()), with_commas(bytes.size())));
  PLIM_ASSIGN(const PictureHeader header, picture_header(bytes));
  const Shape& shape = info_.type.input.shape;
  const PlaneSize target{shape[1], shape[2]}, decoded = decoded_size(header, target);
  const int64_t pixels_needed = decoded.height * decoded.width * shape[0];
  const int64_t resize_needed = decoded == target ? 0 : resize_scratch(decoded, target, shape[0]);
  if (bytes.size() > largest_file_ || pixels_needed > largest_picture_ || resize_needed > largest_resize_)
    return environment_error("was changed after it was opened");
  const auto packed = take<char>(scratch, largest_file_).first(size_t(bytes.size()));
  const auto pixels = take<uint8_t>(scratch, largest_picture_).first(size_t(pixels_needed));
  PLIM_TRY(bytes.read(0, packed));
  PLIM_TRY(decode_picture(packed, header, decoded, shape[0], pixels));
  const auto planes = floats(input);
  if (decoded != target) {
    resize_planes<uint8_t>(pixels, decoded, shape[0], PixelOrder::interleaved, planes, target,
                           take<float>(scratch, largest_resize_));
    return {};
  }
  const size_t channels = size_t(shape[0]), plane = planes.size() / channels;
  for (size_t c = 0; c < channels; ++c)
    for (size_t i = 0; i < plane; ++i) planes[c * plane + i] = float(pixels[i * channels + c]);
  return {};
}

}  // namespace

Result<DatasetPtr> open_image_folder(const std::string& path, const ImageFolderOptions& options) {
  const auto folder = std::make_shared<ImageFolder>();
  PLIM_TRY(folder->open(path, options));
  return DatasetPtr(folder);
}

}  // namespace plimsoll
