// Fashion-MNIST: from Debian's package dataset-fashion-mnist, downloaded or already installed. Kept inflated.
#include <fmt/format.h>

#include <filesystem>

#include "base/write_file.h"
#include "run/data/inflate.h"
#include "run/data/obtain/obtain.h"

namespace plimsoll {
namespace {

constexpr CheckedFile kFiles[] = {{"train-images-idx3-ubyte", 47'040'016, 0xb4f29f28},
                                  {"train-labels-idx1-ubyte", 60'008, 0x741a4657},
                                  {"t10k-images-idx3-ubyte", 7'840'016, 0x678fe0b1},
                                  {"t10k-labels-idx1-ubyte", 10'008, 0x80142c1f}};
constexpr const char* kInstalled = "/usr/share/datasets/fashion-mnist";

Status make(const std::string& folder, const std::string&, const ObtainProgress& progress) {
  std::error_code error;
  std::string from = kInstalled;
  if (!std::filesystem::exists(from, error)) {
    const std::string unpacked = std::filesystem::path(folder).parent_path().string();
    PLIM_TRY(unpack_debian_package("dataset-fashion-mnist", unpacked, progress));
    from = unpacked + kInstalled;
  }
  for (const auto& file : kFiles)
    PLIM_TRY(inflate_file(fmt::format("{}/{}.gz", from, file.name), fmt::format("{}/{}", folder, file.name)));
  return {};
}

}  // namespace

ObtainableSet fashion_mnist_set() { return {"fashion-mnist", "Debian's package dataset-fashion-mnist", kFiles, make}; }

}  // namespace plimsoll
