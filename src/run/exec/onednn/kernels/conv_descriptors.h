// ConvDescriptors: what oneDNN says of direct convolutions, kept for one lowering. Networks repeat their layers, and
// asking takes most of the time of a plan. Not for several threads.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/ir/attributes.h"
#include "run/exec/onednn/layout.h"

namespace plimsoll {

// What all three directions are told of one convolution.
struct ConvShape {
  Dims x, weights, y, strides, dilations, pad_begin, pad_end;

  // nullopt: more axes than oneDNN convolves.
  static std::optional<ConvShape> of(const Attributes& attributes, const Shape& x, const Shape& weights);

  auto operator<=>(const ConvShape&) const = default;
};

// What happens to each number of the result before it is written.
struct ConvEnd {
  dnnl::primitive_attr attributes;
  std::string name;  // two with the same name are the same
};

class ConvDescriptors {
 public:
  using Forward = dnnl::convolution_forward::primitive_desc;
  using BackwardData = dnnl::convolution_backward_data::primitive_desc;
  using BackwardWeights = dnnl::convolution_backward_weights::primitive_desc;

  // nullopt: oneDNN has no such convolution.
  const std::optional<Forward>& forward(const ConvShape& shape, bool bias, const ConvEnd& end);
  const std::optional<BackwardData>& backward_data(const ConvShape& shape);
  const std::optional<BackwardWeights>& backward_weights(const ConvShape& shape);

 private:
  struct ForwardKey {
    ConvShape shape;
    bool bias;
    std::string end;
    auto operator<=>(const ForwardKey&) const = default;
  };

  std::map<ForwardKey, std::optional<Forward>> forward_;
  std::map<ConvShape, std::optional<BackwardData>> backward_data_;
  std::map<ConvShape, std::optional<BackwardWeights>> backward_weights_;
};

}  // namespace plimsoll
