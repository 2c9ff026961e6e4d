// AppendFile: a file that grows by whole records. A record that cannot be written whole is taken back, so that a full
// disk leaves a shorter file and never a torn one.
#pragma once

#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace plimsoll {

class AppendFile {
 public:
  static Result<AppendFile> open(const std::string& path);

  Status append(std::string_view record);

 private:
  AppendFile(std::string path, FileHandle file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  FileHandle file_;
};

}  // namespace plimsoll
