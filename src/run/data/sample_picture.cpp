#include "run/data/sample_picture.h"

#include <algorithm>
#include <cmath>

#include "run/data/aligned_memory.h"
#include "run/data/picture.h"
#include "run/data/reshaped.h"

namespace plimsoll {
namespace {

std::vector<uint8_t> stretched(std::span<const float> planes, int64_t channels) {
  const auto [low, high] = std::minmax_element(planes.begin(), planes.end());
  const float scale = *high > *low ? 255 / (*high - *low) : 0;
  const size_t places = planes.size() / size_t(channels);
  std::vector<uint8_t> pixels(planes.size());
  for (size_t c = 0; c < size_t(channels); ++c)
    for (size_t i = 0; i < places; ++i)
      pixels[i * size_t(channels) + c] = uint8_t((planes[c * places + i] - *low) * scale + 0.5F);
  return pixels;
}

}  // namespace

Result<std::string> sample_picture(const DatasetPtr& dataset, int64_t index) {
  const TensorType& type = dataset->info().type.input;
  if (type.dtype != DType::f32 || type.shape.rank() != 3 || (type.shape[0] != 1 && type.shape[0] != 3))
    return std::string();
  const double scale = std::min(1.0, double(kLargestSamplePicture) / double(std::max(type.shape[1], type.shape[2])));
  const auto scaled = [&](int64_t side) { return std::max<int64_t>(1, std::llround(scale * double(side))); };
  PLIM_ASSIGN(const DatasetPtr source,
              reshaped(dataset, {DType::f32, Shape{type.shape[0], scaled(type.shape[1]), scaled(type.shape[2])}}));
  const Shape& shape = source->info().type.input.shape;
  const AlignedMemory sample(source->info().type.input.bytes()), scratch(source->scratch());
  const auto input = sample.span().first(size_t(source->info().type.input.bytes().value()));
  int64_t ignored = 0;
  PLIM_TRY(source->get(index, 0, input, ignored, scratch.span()));
  return encode_png(stretched(floats(input), shape[0]), {shape[1], shape[2]}, shape[0]);
}

}  // namespace plimsoll
