#include "run/data/picture_list.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/data/picture.h"

namespace plimsoll {
namespace {

class PictureList : public Dataset {
 public:
  PictureList(std::vector<std::string> paths, const TensorType& sample) : paths_(std::move(paths)) {
    info_.name = "pictures";
    info_.type = {sample, 1};
    info_.class_names = numbered_classes(1);
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return int64_t(paths_.size()); }
  Status get(int64_t index, int64_t, std::span<std::byte> input, int64_t& label, std::span<std::byte>) const override {
    label = 0;
    auto status = read(paths_[size_t(index)], floats(input));
    if (!status.ok()) return std::move(status).error().in(describe(index));
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    std::fill(into.begin(), into.end(), 0);
    return {};
  }
  std::string describe(int64_t index) const override { return printable(paths_[size_t(index)], 300); }

  Status check() const {
    for (int64_t i = 0; i < size(); ++i) {
      auto file = open_regular_file(paths_[size_t(i)], "picture");
      if (!file.ok()) return std::move(file).error().in(describe(i));
      auto header = picture_header(**file);
      if (!header.ok()) return std::move(header).error().in(describe(i));
    }
    return {};
  }

 private:
  // Memory is taken for each picture anew: a few pictures are no training.
  Status read(const std::string& path, std::span<float> planes) const {
    PLIM_ASSIGN(const auto file, open_regular_file(path, "picture"));
    PLIM_ASSIGN(const PictureHeader header, picture_header(*file));
    const Shape& shape = info_.type.input.shape;
    const PlaneSize target{shape[1], shape[2]}, decoded = decoded_size(header, target);
    std::vector<char> packed(size_t(file->size()));
    PLIM_TRY(file->read(0, packed));
    std::vector<uint8_t> pixels(size_t(decoded.height * decoded.width * shape[0]));
    PLIM_TRY(decode_picture(packed, header, decoded, shape[0], pixels));
    std::vector<float> scratch(size_t(resize_scratch(decoded, target, shape[0])));
    resize_planes<uint8_t>(pixels, decoded, shape[0], PixelOrder::interleaved, planes, target, scratch);
    return {};
  }

  DatasetInfo info_;
  std::vector<std::string> paths_;
};

}  // namespace

Result<DatasetPtr> open_picture_list(const std::vector<std::string>& paths, const TensorType& sample) {
  const Shape& shape = sample.shape;
  if (sample.dtype != DType::f32 || shape.rank() != 3 || (shape[0] != 1 && shape[0] != 3))
    return user_error(fmt::format("the network reads {} {}, expected pictures of 1 or 3 channels x height x width",
                                  shape.text(), name_of(sample.dtype)));
  const auto list = std::make_shared<PictureList>(paths, sample);
  PLIM_TRY(list->check());
  return DatasetPtr(list);
}

}  // namespace plimsoll
