#include "run/data/class_strips.h"

#include <algorithm>
#include <cmath>

#include "run/data/aligned_memory.h"
#include "run/data/picture.h"
#include "run/data/reshaped.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargest = 96;

// As it is, or smaller with the same proportions.
Result<DatasetPtr> small(const DatasetPtr& dataset) {
  const Shape& shape = dataset->info().type.input.shape;
  const double scale = std::min(1.0, double(kLargest) / double(std::max(shape[1], shape[2])));
  const auto scaled = [&](int64_t side) { return std::max<int64_t>(1, std::llround(scale * double(side))); };
  return reshaped(dataset, {DType::f32, Shape{shape[0], scaled(shape[1]), scaled(shape[2])}});
}

// Puts a picture of planes into a strip of pixels, `place` pictures from the left.
void paste(std::span<const float> planes, const Shape& shape, int64_t place, int64_t strip_width,
           std::vector<uint8_t>& pixels) {
  const int64_t channels = shape[0], height = shape[1], width = shape[2];
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        const float number = planes[size_t((c * height + y) * width + x)];
        pixels[size_t((y * strip_width + place * (width + 1) + x) * channels + c)] =
            uint8_t(std::clamp(number + 0.5F, 0.0F, 255.0F));
      }
}

}  // namespace

Result<std::vector<ClassStrip>> class_strips(const DatasetPtr& dataset, int64_t each) {
  std::vector<ClassStrip> strips;
  const TensorType& type = dataset->info().type.input;
  if (type.dtype != DType::f32 || type.shape.rank() != 3 || (type.shape[0] != 1 && type.shape[0] != 3)) return strips;
  PLIM_ASSIGN(const DatasetPtr source, small(dataset));
  const Shape& shape = source->info().type.input.shape;
  std::vector<int64_t> labels(static_cast<size_t>(source->size()));
  PLIM_TRY(source->labels(labels));
  const AlignedMemory sample(source->info().type.input.bytes()), scratch(source->scratch());
  const auto input = sample.span().first(size_t(source->info().type.input.bytes().value()));
  const int64_t width = each * (shape[2] + 1) - 1;
  for (int64_t label = 0; label < std::min(kMostStrips, dataset->info().type.classes); ++label) {
    std::vector<int64_t> members;
    for (size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == label) members.push_back(int64_t(i));
    std::vector<uint8_t> pixels(size_t(width * shape[1] * shape[0]), 255);
    for (int64_t place = 0; place < std::min<int64_t>(each, int64_t(members.size())); ++place) {
      int64_t ignored = 0;
      const int64_t index =
          members[size_t(place) * members.size() / size_t(std::min<int64_t>(each, int64_t(members.size())))];
      if (source->get(index, 0, input, ignored, scratch.span()).ok()) paste(floats(input), shape, place, width, pixels);
    }
    PLIM_ASSIGN(std::string png, encode_png(pixels, {shape[1], width}, shape[0]));
    strips.push_back({dataset->info().class_names[size_t(label)], std::move(png), width, shape[1]});
  }
  return strips;
}

}  // namespace plimsoll
