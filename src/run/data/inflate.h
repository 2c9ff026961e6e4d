// Opens a file of bytes; one that is compressed with gzip is inflated once, into a file without a name, and read from
// there. So every format is read by position, and nothing is left behind.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/byte_source.h"

namespace plimsoll {

// From the first bytes of a file (64, or all there are): how many it must have in all, or why it is not one of them.
using SizeFromHeader = Result<int64_t> (*)(std::span<const unsigned char> header);

// `kind` is what was expected, for messages. Inflating stops where the file has more than its header says, so a bomb
// takes no more room than what it claims to be; where the disk is full; where the stream is damaged.
Result<std::unique_ptr<ByteSource>> open_maybe_gzip(const std::string& path, const std::string& kind,
                                                    SizeFromHeader size_of);

// The bytes of all members of a gzip file, one after the other, into the open file `fd`; their number. Without
// `size_of` as many as there are.
Result<int64_t> inflate_into(const ByteSource& from, int fd, SizeFromHeader size_of);

// Inflates one file into another.
Status inflate_file(const std::string& from, const std::string& to);

// A file without a name, below the system's temporary folder.
Result<FileHandle> nameless_file();

}  // namespace plimsoll
