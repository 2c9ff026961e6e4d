#include "base/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int kMostNeighbours = 2000;  // files of a folder looked through for a similar name

std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "not a regular file";
}

std::string similar_neighbours(const std::string& path, const std::string& extension) {
  const std::filesystem::path wanted(path);
  std::error_code error;
  const auto folder = wanted.has_parent_path() ? wanted.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  std::filesystem::directory_iterator at(folder, error), end;
  for (int i = 0; !error && at != end && i < kMostNeighbours; at.increment(error), ++i)
    if (at->path().extension() == extension) names.push_back(at->path().filename().string());
  return did_you_mean(wanted.filename().string(), names);
}

Error open_error(const std::string& path, const std::string& extension, int code) {
  if (code == ENOENT || code == ENOTDIR) return user_error("no such file", similar_neighbours(path, extension));
  if (code == EACCES || code == EPERM) return user_error("cannot be read: permission denied");
  return environment_error(fmt::format("cannot be opened: {}", std::strerror(code)));
}

}  // namespace

Status MemorySource::read(int64_t offset, std::span<char> into) const {
  if (offset < 0 || offset > size() || int64_t(into.size()) > size() - offset)
    return environment_error(fmt::format("ends before byte {}", offset + int64_t(into.size())));
  if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return {};
}

FileHandle::~FileHandle() {
  if (fd_ >= 0) ::close(fd_);
}

Status FileSource::read(int64_t offset, std::span<char> into) const {
  while (!into.empty()) {
    const ssize_t count = ::pread(file_.fd(), into.data(), into.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return environment_error(fmt::format("cannot be read at byte {}: {}", offset, std::strerror(errno)));
    if (count == 0)
      return environment_error(fmt::format("became shorter while it was read: nothing is left at byte {}", offset));
    offset += count;
    into = into.subspan(size_t(count));
  }
  return {};
}

Result<std::unique_ptr<ByteSource>> open_regular_file(const std::string& path, const std::string& extension) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  FileHandle file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.fd() < 0) return open_error(path, extension, errno);
  struct stat status {};
  if (::fstat(file.fd(), &status) != 0) return open_error(path, extension, errno);
  if (!S_ISREG(status.st_mode))
    return user_error(kind_of(status.st_mode) + ", expected a regular " + extension + " file");
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(std::move(file), int64_t(status.st_size)));
}

}  // namespace plimsoll
