// SourceFile: a file that a dataset reads, as it was when the dataset was opened. A file that becomes shorter, changes
// or vanishes while a network trains on it is an error with its name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct SourceFile {
  std::string path;
  Bytes size;
  int64_t changed = 0;  // when, in nanoseconds of the file system's clock
};

// `kind` is what was expected, for the message: "IDX".
Result<SourceFile> source_file(const std::string& path, const std::string& kind);
Status check_unchanged(const SourceFile& file);

// A number for what the bytes are: their size and up to 64 blocks spread over them. It does not depend on the file's
// name or age.
Result<uint64_t> content_identity(const ByteSource& bytes);

// Both in one, the order counts.
uint64_t joined(uint64_t identity, uint64_t other);
uint64_t joined(uint64_t identity, std::string_view text);

}  // namespace plimsoll
