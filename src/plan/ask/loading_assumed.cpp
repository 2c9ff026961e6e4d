#include "plan/ask/loading_assumed.h"

#include "base/rows/named.h"
#include "base/size_text.h"

namespace plimsoll {
namespace {

// A core decodes and augments about 100 JPEGs of 110 KB a second in a loader in Python.
constexpr double kUsualDecoding = 11e6;  // bytes of files a second

}  // namespace

std::optional<SamplesPerSecond> decoding_of(const LoadingRequest& request) {
  if (request.decode_rate) return SamplesPerSecond{*request.decode_rate};
  if (!request.sample_bytes) return std::nullopt;
  return SamplesPerSecond{kUsualDecoding / double(request.sample_bytes->value())};
}

std::string assumed_decoding(const LoadingRequest& request) {
  if (request.decode_rate || !request.sample_bytes) return "";
  return fmt::format(
      "One core was assumed to decode {:.4g} samples/s, which is {}/s of files, as is usual for JPEGs ({} RATE).",
      decoding_of(request)->per_second, decimal_bytes(Bytes(int64_t(kUsualDecoding))), named("decode_rate"));
}

}  // namespace plimsoll
