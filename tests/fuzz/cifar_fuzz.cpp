// The CIFAR door under arbitrary bytes: the first byte says which kind, the rest is a file of records.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "read_samples.h"
#include "run/data/cifar.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  if (size < 1) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto set = read_cifar({std::make_shared<MemorySource>(bytes)}, {"records"},
                              data[0] % 2 == 0 ? CifarKind::ten : CifarKind::hundred);
  check_or_read(set);
  return 0;
}
