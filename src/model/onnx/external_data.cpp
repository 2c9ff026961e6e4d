#include "model/onnx/external_data.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestFile = int64_t{1} << 50;
constexpr size_t kMostNotes = 3;

struct Place {
  std::string location;
  int64_t offset = 0;
  std::optional<int64_t> length;
};

Result<int64_t> number(const std::string& key, const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > kLargestFile)
    return user_error(fmt::format("external data has the {} {}, expected a number of bytes", key, in_quotes(text)));
  return value;
}

Status check_location(const std::string& location) {
  const auto refuse = [&](std::string_view why) {
    return user_error(fmt::format("external data is at {}, {}", in_quotes(location), why),
                      "a location is a path below the model's folder");
  };
  if (location.empty()) return refuse("which names no file");
  if (location.find('\0') != std::string::npos) return refuse("which has a NUL inside");
  if (location.find('\\') != std::string::npos) return refuse("which has a backslash inside");
  if (location.front() == '/') return refuse("an absolute path");
  const auto letter = static_cast<unsigned char>(location[0] | 0x20);
  if (location.size() > 1 && location[1] == ':' && letter >= 'a' && letter <= 'z') return refuse("a path with a drive");
  for (size_t start = 0; start <= location.size();) {
    const size_t end = std::min(location.find('/', start), location.size());
    if (location.compare(start, end - start, "..") == 0) return refuse("which leaves the folder by '..'");
    start = end + 1;
  }
  return {};
}

Result<Place> read_place(const onnx::TensorProto& tensor) {
  Place place;
  bool located = false;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") {
      if (located) return user_error("external data has two locations");
      located = true;
      place.location = entry.value();
    } else if (entry.key() == "offset") {
      PLIM_ASSIGN(place.offset, number("offset", entry.value()));
    } else if (entry.key() == "length") {
      PLIM_ASSIGN(place.length, number("length", entry.value()));
    } else if (entry.key() != "checksum" && entry.key() != "basepath") {
      return user_error(fmt::format("external data has the unknown key {}", in_quotes(entry.key())),
                        "known are location, offset, length, checksum and basepath");
    }
  }
  if (!located) return user_error("external data has no location");
  PLIM_TRY(check_location(place.location));
  return place;
}

Error refused(int folder, const char* name, int code, const std::string& location) {
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
    return user_error(
        fmt::format("external data {} goes through a symbolic link, which is not followed", in_quotes(location)),
        "copy the file into the model's folder");
  if (code == ENOENT) return undetermined("absent");
  return user_error(fmt::format("external data {} cannot be opened: {}", in_quotes(location), std::strerror(code)));
}

struct OpenFile {
  FileHandle file;
  int64_t size;
};

// undetermined: there is no such file.
Result<OpenFile> open_below(const std::string& folder, const std::string& location) {
  FileHandle at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (at.fd() < 0) return refused(AT_FDCWD, folder.c_str(), errno, folder);
  size_t start = 0;
  for (size_t slash = location.find('/'); slash != std::string::npos; slash = location.find('/', start)) {
    const std::string component = location.substr(start, slash - start);
    start = slash + 1;
    if (component.empty() || component == ".") continue;
    FileHandle next(::openat(at.fd(), component.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (next.fd() < 0) return refused(at.fd(), component.c_str(), errno, location);
    at = std::move(next);
  }
  const std::string name = location.substr(start);
  FileHandle file(::openat(at.fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.fd() < 0) return refused(at.fd(), name.c_str(), errno, location);
  struct stat status {};
  if (::fstat(file.fd(), &status) != 0) return refused(at.fd(), name.c_str(), errno, location);
  if (!S_ISREG(status.st_mode))
    return user_error(
        fmt::format("external data {} is not a regular file (a folder, a FIFO or a device)", in_quotes(location)));
  if (status.st_nlink > 1)
    return user_error(
        fmt::format("external data {} is a hard link to a file that has other names too", in_quotes(location)),
        "copy the file into the model's folder");
  return OpenFile{std::move(file), int64_t(status.st_size)};
}

Status check_range(const Place& place, int64_t size, Bytes expected) {
  const int64_t length = place.length.value_or(expected.value());
  if (place.offset <= size && length <= size - place.offset) return {};
  return user_error(fmt::format("external data needs {} bytes from byte {} of {}, which has {}", length, place.offset,
                                in_quotes(place.location), size));
}

}  // namespace

Status ExternalData::check(const onnx::TensorProto& tensor, Bytes expected) {
  PLIM_ASSIGN(const Place place, read_place(tensor));
  if (place.length && *place.length != expected.value())
    return user_error(
        fmt::format("external data has {} bytes, the shape and type need {}", *place.length, expected.value()));
  auto [entry, is_new] = files_.try_emplace(place.location);
  File& file = entry->second;
  if (is_new) {
    file.first_tensor = tensor.name().substr(0, 100);
    if (folder_) {
      auto opened = open_below(*folder_, place.location);
      if (opened.ok()) file.size = opened->size;
      else if (opened.error().kind != ErrorKind::undetermined) return std::move(opened).error();
    }
  }
  ++file.tensors;
  return file.size ? check_range(place, *file.size, expected) : Status();
}

Result<std::optional<std::string>> ExternalData::read(const onnx::TensorProto& tensor, Bytes expected) const {
  auto opened = open(tensor, expected);
  if (!opened.ok() && opened.error().kind == ErrorKind::undetermined) return std::optional<std::string>();
  if (!opened.ok()) return std::move(opened).error();
  std::string bytes(size_t(expected.value()), '\0');
  PLIM_TRY(opened->file->read(opened->offset, bytes));
  return std::optional(std::move(bytes));
}

Result<ExternalData::Opened> ExternalData::open(const onnx::TensorProto& tensor, Bytes expected) const {
  PLIM_ASSIGN(const Place place, read_place(tensor));
  if (!folder_) return undetermined(fmt::format("external data {} is absent", in_quotes(place.location)));
  auto opened = open_below(*folder_, place.location);
  if (!opened.ok() && opened.error().kind == ErrorKind::undetermined)
    return undetermined(fmt::format("external data {} is absent", in_quotes(place.location)));
  if (!opened.ok()) return std::move(opened).error();
  PLIM_TRY(check_range(place, opened->size, expected));
  return Opened{std::make_unique<FileSource>(std::move(opened->file), opened->size), place.offset};
}

std::vector<std::string> ExternalData::notes() const {
  std::vector<std::string> notes;
  size_t absent = 0;
  for (const auto& [location, file] : files_) {
    if (file.size || ++absent > kMostNotes) continue;
    notes.push_back(fmt::format("{} is absent (needed by {} tensor{}, first {}): shapes are enough to weigh",
                                printable(location, 200), file.tensors, file.tensors == 1 ? "" : "s",
                                in_quotes(file.first_tensor)));
  }
  if (absent > kMostNotes) notes.push_back(fmt::format("{} more files of weights are absent", absent - kMostNotes));
  return notes;
}

}  // namespace plimsoll
