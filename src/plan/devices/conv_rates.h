// How fast a machine computes convolutions, by direction and method: measured once on the engine's own kernels by
// `plimsoll probe`, kept in its device file. The engine chooses its kernels by it, and predictions read it.
//
// Rates count the operations of the direct way, whatever the method does instead, so that times can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace plimsoll {

enum class ConvDirection : uint8_t { forward, grad_data, grad_weights };
inline constexpr ConvDirection kConvDirections[] = {ConvDirection::forward, ConvDirection::grad_data,
                                                    ConvDirection::grad_weights};

enum class ConvMethod : uint8_t { direct, depthwise, winograd_2x2, winograd_4x4, product, fft };
// What convolutions can be computed by. `product` is no such method: a matrix product is measured like a 1x1
// convolution, its rows being the places.
inline constexpr ConvMethod kConvMethods[] = {ConvMethod::direct, ConvMethod::depthwise, ConvMethod::winograd_2x2,
                                              ConvMethod::winograd_4x4, ConvMethod::fft};

std::string_view name_of(ConvDirection direction);
std::string_view name_of(ConvMethod method);
std::string_view way_of(ConvMethod method);  // its name whatever the tiles: "direct", "winograd", "fft"
std::optional<ConvDirection> conv_direction_named(std::string_view name);
std::optional<ConvMethod> conv_method_named(std::string_view name);

// A convolution of two axes as its forward pass has it, whatever direction is asked for.
struct ConvLayer {
  int64_t kernel = 1;  // along both axes; of one that is not square a square of about as many taps
  bool square = true;
  int64_t stride = 1, dilation = 1;  // the larger of both axes
  int64_t groups = 1;
  int64_t in = 1, out = 1;                   // channels of one group
  int64_t batch = 1, height = 1, width = 1;  // of the output

  int64_t places() const { return batch * height * width; }
  double channels() const;  // of in and out the harmonic mean: what a method adds goes with 1/in + 1/out
};

// Whether the method computes that layer at all.
bool computes(ConvMethod method, const ConvLayer& layer);

struct ConvRate {
  ConvDirection direction = ConvDirection::forward;
  ConvMethod method = ConvMethod::direct;
  int64_t kernel = 1, channels = 1, places = 1;
  FlopsPerSecond rate;

  auto operator<=>(const ConvRate&) const = default;
};

class ConvRates {
 public:
  ConvRates() = default;
  explicit ConvRates(std::vector<ConvRate> rows);  // every rate is above 0

  bool empty() const { return rows_.empty(); }
  std::span<const ConvRate> rows() const { return rows_; }  // sorted

  // Between the measured points a straight line of the logarithms; beyond them as at the last, but with fewer places
  // less in proportion. Of kernels that were not measured the nearest in size speaks. nullopt: nothing is known of the
  // method, or it does not compute the layer; transforms are not for fewer channels than were measured.
  std::optional<FlopsPerSecond> rate(ConvDirection direction, ConvMethod method, const ConvLayer& layer) const;

  // The fastest of the methods for that layer; nullopt when no rate of any of them is known.
  struct Fastest {
    ConvMethod method;
    FlopsPerSecond rate;
  };
  std::optional<Fastest> fastest(ConvDirection direction, std::span<const ConvMethod> methods,
                                 const ConvLayer& layer) const;

  bool operator==(const ConvRates&) const = default;

 private:
  std::vector<ConvRate> rows_;
};

}  // namespace plimsoll
