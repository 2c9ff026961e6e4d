#include "run/data/source_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "model/ops/counter_random.h"

namespace plimsoll {
namespace {

constexpr int64_t kBlocks = 64, kBlock = 4096;

int64_t nanoseconds(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

}  // namespace

Result<SourceFile> source_file(const std::string& path, const std::string& kind) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    const std::string what = fmt::format("cannot be opened: {}", std::strerror(errno));
    const bool users = errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
    return (users ? user_error(what) : environment_error(what)).in(printable(path, 300));
  }
  if (!S_ISREG(status.st_mode))
    return user_error(fmt::format("is not a regular file, expected a file in {} format", kind))
        .in(printable(path, 300));
  return SourceFile{path, Bytes(int64_t{status.st_size}), nanoseconds(status)};
}

Status check_unchanged(const SourceFile& file) {
  struct stat status {};
  if (::stat(file.path.c_str(), &status) != 0)
    return environment_error(fmt::format("was removed after it was opened: {}", std::strerror(errno)))
        .in(printable(file.path, 300));
  if (int64_t{status.st_size} != file.size.value())
    return environment_error(fmt::format("had {} bytes when it was opened and has {} now",
                                         with_commas(file.size.value()), with_commas(int64_t{status.st_size})))
        .in(printable(file.path, 300));
  if (nanoseconds(status) != file.changed)
    return environment_error("was changed after it was opened").in(printable(file.path, 300));
  return {};
}

Result<uint64_t> content_identity(const ByteSource& bytes) {
  std::array<char, kBlock> block;
  const int64_t size = bytes.size(), last = std::max<int64_t>(size - kBlock, 0);
  const int64_t blocks = std::clamp<int64_t>((size + kBlock - 1) / kBlock, 0, kBlocks);
  uLong sum = crc32(0, nullptr, 0);
  for (int64_t i = 0; i < blocks; ++i) {
    const int64_t start = blocks == 1 ? 0 : int64_t(double(last) * double(i) / double(blocks - 1));
    const auto count = size_t(std::min(kBlock, size - start));
    PLIM_TRY(bytes.read(start, std::span(block).first(count)));
    sum = crc32(sum, reinterpret_cast<const Bytef*>(block.data()), uInt(count));
  }
  return joined(uint64_t(size), uint64_t(sum));
}

uint64_t joined(uint64_t identity, uint64_t other) { return scatter_bits(scatter_bits(identity) ^ other); }

uint64_t joined(uint64_t identity, std::string_view text) {
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(text.data()), uInt(text.size()));
  return joined(joined(identity, uint64_t(text.size())), uint64_t(sum));
}

}  // namespace plimsoll
