// The device files' door under arbitrary bytes: what is accepted can be written, and read again as the same.
#include <cstddef>
#include <cstdint>

#include "one_line.h"
#include "plan/devices/read_device.h"
#include "plan/devices/write_device.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const auto device = read_device({reinterpret_cast<const char*>(data), size});
  if (!accepted(device)) return 0;
  const std::string written = write_device(*device);
  const auto again = read_device(written);
  PLIM_CHECK(again.ok(), "a device that was accepted is written so that it is not");
  PLIM_CHECK(write_device(*again) == written, "a device is another one after it was written");
  return 0;
}
