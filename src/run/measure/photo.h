// A picture that costs a decoder what a photograph costs it: made from a fixed seed, so that every machine decodes
// the same. And JPEG in and out, through libjpeg-turbo.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;  // rows from the top, three bytes a pixel
};

// Sky, ground, a few round things with soft edges, and grain that is coarse and fine.
Image synthetic_photo(int width, int height, uint64_t seed);

Result<std::string> encode_jpeg(const Image& image, int quality);  // colours at half the resolution, as cameras do

// Keeps what it needs between pictures; of one thread. Pictures of more than 2^28 pixels are refused.
class JpegDecoder {
 public:
  JpegDecoder();
  ~JpegDecoder();
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  Status decode(const std::string& jpeg, Image& into);

 private:
  void* handle_;
};

}  // namespace plimsoll
