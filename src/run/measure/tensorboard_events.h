// TensorBoard's event files: records with a length and checksums around protobuf messages, of which we write the few
// that scalars need. TensorBoard finds a file by its name and draws one curve for each tag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "run/measure/append_file.h"

namespace plimsoll {

struct Scalar {
  std::string_view tag;  // "train/loss"
  double value = 0;
};

class TensorboardEvents {
 public:
  // A new file in `folder`; another run of the program in the same folder writes another.
  static Result<TensorboardEvents> create(const std::string& folder, double wall_seconds);

  Status add(int64_t step, double wall_seconds, const std::vector<Scalar>& scalars);

 private:
  explicit TensorboardEvents(AppendFile file) : file_(std::move(file)) {}
  AppendFile file_;
};

// A record as it lies in the file: length, its checksum, the message, its checksum.
std::string event_record(std::string_view message);
std::string scalar_event(int64_t step, double wall_seconds, const std::vector<Scalar>& scalars);

// CRC-32C (Castagnoli), which records are checked with.
uint32_t crc32c(std::string_view bytes);
uint32_t masked_crc32c(std::string_view bytes);

}  // namespace plimsoll
