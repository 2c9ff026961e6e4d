// The IDX door under arbitrary bytes: a file of pictures and one of labels, cut where the first two bytes say. What is
// accepted is read. Built with libFuzzer (the fuzz preset) and with seeded_main.cpp, which is part of the tests.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "read_samples.h"
#include "run/data/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const size_t cut = std::min<size_t>(size_t{data[0]} << 8 | data[1], bytes.size());
  const auto set = read_idx(std::make_shared<MemorySource>(bytes.substr(0, cut)),
                            std::make_shared<MemorySource>(bytes.substr(cut)), {"images", "labels"});
  check_or_read(set);
  return 0;
}
