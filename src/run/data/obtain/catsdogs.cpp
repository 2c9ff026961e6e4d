// Cats and dogs: those of CIFAR-10, written out as folders of JPEGs, train and test as in CIFAR-10.
#include <fmt/format.h>
#include <turbojpeg.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "run/data/aligned_memory.h"
#include "run/data/cifar.h"
#include "run/data/obtain/obtain.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr int kCat = 3, kDog = 5, kSide = 32, kQuality = 95;
struct Part {
  const char* name;
  int64_t each;  // pictures of either class
};
constexpr Part kParts[] = {{"train", 5000}, {"test", 1000}};

struct Encoder {
  std::unique_ptr<void, int (*)(void*)> handle{tjInitCompress(), tjDestroy};

  Result<std::string> encode(const std::vector<uint8_t>& rgb) const {
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    if (!handle || tjCompress2(handle.get(), rgb.data(), kSide, 0, kSide, TJPF_RGB, &bytes, &size, TJSAMP_444, kQuality,
                               TJFLAG_ACCURATEDCT) != 0)
      return environment_error("libjpeg-turbo could not encode a picture");
    std::string jpeg(reinterpret_cast<const char*>(bytes), size);
    tjFree(bytes);
    return jpeg;
  }
};

Status write_part(const Dataset& cifar, const std::string& folder) {
  const Encoder encoder;
  std::error_code error;
  for (const char* name : {"cats", "dogs"}) fs::create_directories(fmt::format("{}/{}", folder, name), error);
  if (error) return environment_error(fmt::format("cannot be made: {}", error.message())).in(folder);
  const AlignedMemory scratch(cifar.scratch());
  std::vector<float> planes(3 * kSide * kSide);
  std::vector<uint8_t> rgb(planes.size());
  for (int64_t i = 0; i < cifar.size(); ++i) {
    int64_t label = 0;
    PLIM_TRY(cifar.get(i, 0, std::as_writable_bytes(std::span(planes)), label, scratch.span()));
    if (label != kCat && label != kDog) continue;
    for (size_t p = 0; p < rgb.size() / 3; ++p)
      for (size_t c = 0; c < 3; ++c) rgb[p * 3 + c] = uint8_t(planes[c * rgb.size() / 3 + p]);
    PLIM_ASSIGN(const std::string jpeg, encoder.encode(rgb));
    PLIM_TRY(write_new_file(fmt::format("{}/{}/{:05}.jpg", folder, label == kCat ? "cats" : "dogs", i), jpeg));
  }
  return {};
}

Status make(const std::string& folder, const std::string& all_sets, const ObtainProgress& progress) {
  PLIM_ASSIGN(const Obtained cifar, obtain("cifar10", all_sets, false, progress));
  progress("writing the cats and dogs of CIFAR-10 as JPEGs");
  std::vector<std::string> batches;
  for (int i = 1; i <= 5; ++i) batches.push_back(fmt::format("{}/data_batch_{}.bin", cifar.folder, i));
  PLIM_ASSIGN(const DatasetPtr train, open_cifar(batches, CifarKind::ten));
  PLIM_ASSIGN(const DatasetPtr test, open_cifar({cifar.folder + "/test_batch.bin"}, CifarKind::ten));
  PLIM_TRY(write_part(*train, folder + "/train"));
  return write_part(*test, folder + "/test");
}

// The bytes of a JPEG depend on the encoder's version; the number of pictures does not.
Status check(const std::string& folder) {
  for (const auto& part : kParts)
    for (const char* name : {"cats", "dogs"}) {
      const std::string path = fmt::format("{}/{}/{}", folder, part.name, name);
      int64_t count = 0;
      std::error_code error;
      for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) ++count;
      if (count != part.each) return user_error(fmt::format("has {} pictures, expected {}", count, part.each)).in(path);
    }
  return {};
}

}  // namespace

ObtainableSet catsdogs_set() { return {"catsdogs", "the cats and dogs of CIFAR-10, as JPEGs", {}, make, check}; }

}  // namespace plimsoll
