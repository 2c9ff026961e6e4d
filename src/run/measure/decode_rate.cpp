#include "run/measure/decode_rate.h"

#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "run/measure/augment.h"

namespace plimsoll {
namespace {

// About a photograph of the web: 500x375, a little over one bit a pixel.
constexpr int kWidth = 500, kHeight = 375, kQuality = 85;
constexpr uint64_t kSeed = 17;

struct Member {
  JpegDecoder decoder;
  Image image;
  Augmenter augmenter;
  std::mt19937_64 random{kSeed};
};

}  // namespace

Result<DecodeRate> measure_decoding(int threads, const Effort& effort) {
  PLIM_ASSIGN(const std::string jpeg, encode_jpeg(synthetic_photo(kWidth, kHeight, kSeed), kQuality));
  std::vector<std::unique_ptr<Member>> members;
  for (int i = 0; i < threads; ++i) members.push_back(std::make_unique<Member>());
  std::atomic<bool> failed = false;
  const auto work = [&](int number, int64_t rounds, bool augmented) {
    Member& member = *members[size_t(number)];
    for (int64_t round = 0; round < rounds; ++round) {
      if (!member.decoder.decode(jpeg, member.image).ok()) failed = true;
      if (augmented) member.augmenter.augment(member.image, any_augmentation(member.random));
    }
  };
  PLIM_TRY(members[0]->decoder.decode(jpeg, members[0]->image));
  PLIM_ASSIGN(const double plain, median_rate(threads, effort, [&](int i, int64_t rounds) { work(i, rounds, false); }));
  PLIM_ASSIGN(const double augmented,
              median_rate(threads, effort, [&](int i, int64_t rounds) { work(i, rounds, true); }));
  if (failed) return environment_error("a picture that was decoded before could not be decoded again");
  return DecodeRate{kWidth, kHeight, Bytes(int64_t(jpeg.size())), {plain / threads}, {augmented / threads}};
}

}  // namespace plimsoll
