#include "run/data/inflate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/nameless_file.h"
#include "base/text.h"
#include "base/units.h"

namespace plimsoll {
namespace {

constexpr size_t kBlock = 1 << 18;
constexpr int64_t kMostInflation = 1032;  // no deflate stream grows by more

Error shorter_than(int64_t stated, int64_t most) {
  return user_error(fmt::format("its header states {} bytes, but it cannot hold more than {}", with_commas(stated),
                                with_commas(most)));
}

Status write_all(int fd, const unsigned char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t wrote = ::write(fd, bytes, count);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0)
      return environment_error(fmt::format("cannot be inflated: {}", std::strerror(wrote == 0 ? ENOSPC : errno)),
                               "set TMPDIR to a folder with more room");
    bytes += wrote;
    count -= size_t(wrote);
  }
  return {};
}

// Ends zlib's state with its owner.
struct Stream : z_stream {
  Stream() : z_stream{} {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { inflateEnd(this); }
};

}  // namespace

Result<int64_t> inflate_into(const ByteSource& from, int fd, SizeFromHeader size_of) {
  std::vector<unsigned char> in(kBlock), out(kBlock);
  Stream stream;
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return environment_error("zlib could not be started");
  int64_t read = 0, written = 0, expected = -1;
  bool inside = true;
  while (inside || stream.avail_in > 0 || read < from.size()) {
    if (stream.avail_in == 0) {
      const auto count = size_t(std::min<int64_t>(int64_t{kBlock}, from.size() - read));
      if (count == 0) return user_error(fmt::format("is a gzip file that ends early, after {} bytes", read));
      PLIM_TRY(from.read(read, {reinterpret_cast<char*>(in.data()), count}));
      read += int64_t(count);
      stream.next_in = in.data();
      stream.avail_in = uInt(count);
    }
    if (!inside) inflateReset(&stream);
    inside = true;
    stream.next_out = out.data();
    stream.avail_out = uInt(kBlock);
    const int code = inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return user_error(fmt::format("is a damaged gzip file near byte {}: {}", read - int64_t{stream.avail_in},
                                    stream.msg ? stream.msg : "not gzip"));
    const size_t made = kBlock - stream.avail_out;
    if (size_of && expected < 0 && made > 0) {
      PLIM_ASSIGN(expected, size_of(std::span(out).first(std::min<size_t>(made, 64))));
      if (expected / kMostInflation > from.size()) return shorter_than(expected, from.size() * kMostInflation);
    }
    written += int64_t(made);
    if (size_of && written > expected && made > 0)
      return user_error(fmt::format("holds more than the {} bytes that its header states", with_commas(expected)));
    PLIM_TRY(write_all(fd, out.data(), made));
    if (code == Z_STREAM_END) inside = false;
  }
  return written;
}

Result<FileHandle> nameless_file() {
  const char* wanted = std::getenv("TMPDIR");
  const std::string folder = wanted && *wanted ? wanted : "/tmp";
  return nameless_file(folder, "set TMPDIR to a folder with room");
}

Status inflate_file(const std::string& from, const std::string& to) {
  auto file = open_regular_file(from, ".gz");
  if (!file.ok()) return std::move(file).error().in(printable(from, 300));
  const FileHandle target(open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (target.fd() < 0)
    return environment_error(fmt::format("cannot be written: {}", std::strerror(errno))).in(printable(to, 300));
  const auto size = inflate_into(**file, target.fd(), nullptr);
  if (!size.ok()) return Error(size.error()).in(printable(from, 300));
  return {};
}

Result<std::unique_ptr<ByteSource>> open_maybe_gzip(const std::string& path, const std::string& kind,
                                                    SizeFromHeader size_of) {
  auto file = open_regular_file(path, kind);
  if (!file.ok()) return std::move(file).error().in(printable(path, 300));
  std::array<char, 2> magic{};
  if ((*file)->size() < 2 || !(*file)->read(0, magic).ok() || magic[0] != '\x1f' || magic[1] != '\x8b')
    return std::move(*file);
  PLIM_ASSIGN(FileHandle inflated, nameless_file());
  const auto size = inflate_into(**file, inflated.fd(), size_of);
  if (!size.ok()) return Error(size.error()).in(printable(path, 300));
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(std::move(inflated), *size));
}

}  // namespace plimsoll
