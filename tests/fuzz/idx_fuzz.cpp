// The IDX door under arbitrary bytes: a file of pictures and one of labels, cut where the first two bytes say. What is
// accepted is read. Built with libFuzzer (the fuzz preset) and with seeded_main.cpp, which is part of the tests.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "run/data/aligned_memory.h"
#include "run/data/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const size_t cut = std::min<size_t>(size_t{data[0]} << 8 | data[1], bytes.size());
  const auto set = read_idx(std::make_shared<MemorySource>(bytes.substr(0, cut)),
                            std::make_shared<MemorySource>(bytes.substr(cut)), {"images", "labels"});
  if (!set.ok()) {
    PLIM_CHECK(set.error().line().find('\n') == std::string::npos, "a message of more than one line");
    return 0;
  }
  const Dataset& dataset = **set;
  const Bytes sample = dataset.info().type.input.bytes();
  const AlignedMemory input(sample), scratch(dataset.scratch());
  for (int64_t i = 0; i < std::min<int64_t>(dataset.size(), 100); ++i) {
    int64_t label = -1;
    const auto status = dataset.get(i, 0, input.span().first(size_t(sample.value())), label, scratch.span());
    PLIM_CHECK(status.ok(), "a sample of an accepted set cannot be read");
    PLIM_CHECK(label >= 0 && label < dataset.info().type.classes, "a label outside the classes");
  }
  return 0;
}
