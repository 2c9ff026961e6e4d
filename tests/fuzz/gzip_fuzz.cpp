// The door of compressed files under arbitrary bytes: a gzip file, inflated once as a set's file, which its header says
// the size of, and once as any other.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "base/byte_source.h"
#include "one_line.h"
#include "run/data/inflate.h"

namespace {

plimsoll::Result<int64_t> first_byte_times_ten(std::span<const unsigned char> header) {
  if (header[0] == 0) return plimsoll::user_error("has no size");
  return int64_t{header[0]} * 10;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  static const FileHandle file(memfd_create("inflated", MFD_CLOEXEC));
  constexpr size_t kMostBytes = 4096;  // of which a bomb makes four million
  if (size > kMostBytes) return 0;
  const MemorySource from({reinterpret_cast<const char*>(data), size});
  for (const SizeFromHeader size_of : {SizeFromHeader(first_byte_times_ten), SizeFromHeader(nullptr)}) {
    PLIM_CHECK(ftruncate(file.fd(), 0) == 0 && lseek(file.fd(), 0, SEEK_SET) == 0, "the memory file fails");
    const auto written = inflate_into(from, file.fd(), size_of);
    if (!accepted(written)) continue;
    PLIM_CHECK(lseek(file.fd(), 0, SEEK_END) == *written, "not as many bytes as it says");
    PLIM_CHECK(!size_of || *written <= 2550, "more bytes than its header states");
  }
  return 0;
}
