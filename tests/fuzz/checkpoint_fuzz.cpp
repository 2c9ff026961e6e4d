// The checkpoints' door under arbitrary bytes: the JSON of a checkpoint, whose state is written and read again when it
// is accepted.
#include <cstddef>
#include <cstdint>

#include "one_line.h"
#include "run/train/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const auto checkpoint = parse_checkpoint("run/last.json", {reinterpret_cast<const char*>(data), size});
  if (!accepted(checkpoint)) return 0;
  PLIM_CHECK(checkpoint->tensors_path.starts_with("run/"), "tensors outside the run's folder");
  const auto written = to_json(checkpoint->state);
  const auto again = read_training_state(written);
  PLIM_CHECK(again.ok() && to_json(*again) == written, "a state is another one after it was written");
  return 0;
}
