#include "run/data/reshaped.h"

#include <fmt/format.h>

#include "run/data/resize.h"

namespace plimsoll {
namespace {

PlaneSize plane_of(const Shape& shape) { return {shape[1], shape[2]}; }

// The same numbers under another shape.
class Flattened : public DatasetAround {
 public:
  Flattened(DatasetPtr inner, const Shape& shape) : DatasetAround(std::move(inner)) { info_.type.input.shape = shape; }
  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    return inner_->get(index, epoch, input, label, scratch);
  }
};

class Reshaped : public DatasetAround {
 public:
  Reshaped(DatasetPtr inner, const Shape& shape) : DatasetAround(std::move(inner)) {
    before_ = inner_->info().type.input.shape;
    info_.type.input.shape = shape;
    between_ = Shape{before_[0], shape[1], shape[2]};  // resized, with the old colours
  }

  Bytes scratch() const override {
    return scratch_for<float>(before_.elements().value()) + scratch_for<float>(between_.elements().value()) +
           scratch_for<float>(resize_scratch(plane_of(before_), plane_of(between_), before_[0])) + inner_->scratch();
  }

  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    const auto original = take<float>(scratch, before_.elements().value());
    const auto resized = take<float>(scratch, between_.elements().value());
    const PlaneSize from = plane_of(before_), to = plane_of(between_);
    const auto work = take<float>(scratch, resize_scratch(from, to, before_[0]));
    PLIM_TRY(inner_->get(index, epoch, std::as_writable_bytes(original), label, scratch));
    const bool recoloured = before_[0] != info_.type.input.shape[0];
    const auto target = recoloured ? resized : floats(input);
    if (from == to) std::copy(original.begin(), original.end(), target.begin());
    else resize_planes<float>(original, from, before_[0], PixelOrder::planes, target, to, work);
    if (recoloured) recolour(target, before_[0], floats(input), info_.type.input.shape[0]);
    return {};
  }

 private:
  Shape before_, between_;
};

}  // namespace

Result<DatasetPtr> reshaped(DatasetPtr inner, const TensorType& input) {
  const TensorType& has = inner->info().type.input;
  if (has == input) return inner;
  const auto mismatch = [&] {
    return user_error(fmt::format("samples are {} of {} and cannot become {} of {}", name_of(has.dtype),
                                  has.shape.text(), name_of(input.dtype), input.shape.text()))
        .in(inner->info().name);
  };
  if (has.dtype != DType::f32 || input.dtype != DType::f32) return mismatch();
  if (has.elements() == input.elements() && (input.shape.rank() != 3 || has.shape.rank() != 3))
    return DatasetPtr(std::make_shared<Flattened>(std::move(inner), input.shape));
  if (has.shape.rank() != 3 || input.shape.rank() != 3) return mismatch();
  if (input.elements().value() > kMostPixels) return mismatch();
  const int64_t from = has.shape[0], to = input.shape[0];
  if (from != to && !(from == 1 && to == 3) && !(from == 3 && to == 1)) return mismatch();
  return DatasetPtr(std::make_shared<Reshaped>(std::move(inner), input.shape));
}

}  // namespace plimsoll
