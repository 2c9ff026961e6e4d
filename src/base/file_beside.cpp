#include "base/file_beside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace plimsoll {
namespace {

Error failed(const std::string& path, int error) {
  return environment_error(fmt::format("cannot be written: {}", std::strerror(error))).in(printable(path, 200));
}

}  // namespace

Result<FileBeside> FileBeside::create(const std::string& path) {
  std::string beside = fmt::format("{}.{}{}", path, getpid(), kPartSuffix);
  FileHandle file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file.fd() < 0) return failed(path, errno);
  return FileBeside(path, std::move(beside), std::move(file));
}

FileBeside::FileBeside(FileBeside&& other) noexcept
    : path_(std::move(other.path_)), beside_(std::exchange(other.beside_, {})), file_(std::move(other.file_)) {}

FileBeside::~FileBeside() {
  if (!beside_.empty()) unlink(beside_.c_str());
}

Status FileBeside::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file_.fd(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return failed(path_, wrote == 0 ? ENOSPC : errno);
    bytes.remove_prefix(size_t(wrote));
  }
  return {};
}

Status FileBeside::commit() {
  if (fsync(file_.fd()) != 0) return failed(path_, errno);
  if (rename(beside_.c_str(), path_.c_str()) != 0) return failed(path_, errno);
  beside_.clear();
  return flush_folder_of(path_);
}

Status flush_folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const FileHandle handle(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.fd() >= 0 && fsync(handle.fd()) != 0 && errno == EIO) return failed(path, errno);
  return {};
}

}  // namespace plimsoll
