// FileBeside: a file that is written beside its place and takes it only when it is whole and on the disk. Whatever
// happens before commit() leaves what was there; a kill leaves a ".part" file for somebody to sweep up.
#pragma once

#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace plimsoll {

inline constexpr std::string_view kPartSuffix = ".part";

class FileBeside {
 public:
  static Result<FileBeside> create(const std::string& path);
  FileBeside(FileBeside&& other) noexcept;
  FileBeside& operator=(FileBeside&&) = delete;
  ~FileBeside();  // removes what was not committed

  Status write(std::string_view bytes);

  // Flushes the file, renames it to its place, flushes the folder.
  Status commit();

 private:
  FileBeside(std::string path, std::string beside, FileHandle file)
      : path_(std::move(path)), beside_(std::move(beside)), file_(std::move(file)) {}

  std::string path_;
  std::string beside_;  // empty: nothing to remove
  FileHandle file_;
};

// A name is safe only when its folder is on the disk too. Some file systems cannot flush a folder; the file is there.
Status flush_folder_of(const std::string& path);

}  // namespace plimsoll
