#include "run/measure/tensorboard_events.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace plimsoll {
namespace {

constexpr uint32_t kCastagnoli = 0x82F63B78;  // reflected

constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? kCastagnoli : 0);
    table[i] = value;
  }
  return table;
}();

template <class Number>
void put(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(char(value | 0x80));
  out.push_back(char(value));
}

// Protobuf: a field's number and how it is written.
enum Wire : uint32_t { kVarint = 0, kEight = 1, kBytes = 2, kFour = 5 };
void put_key(std::string& out, uint32_t field, Wire wire) { put_varint(out, field << 3 | wire); }

void put_text(std::string& out, uint32_t field, std::string_view text) {
  put_key(out, field, kBytes);
  put_varint(out, text.size());
  out += text;
}

// Event { wall_time = 1 (double), step = 2, file_version = 3, summary = 5 }
std::string event_start(int64_t step, double wall_seconds) {
  std::string event;
  put_key(event, 1, kEight);
  put(event, wall_seconds);
  put_key(event, 2, kVarint);
  put_varint(event, uint64_t(step));
  return event;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ uint8_t(c)) & 0xFF];
  return ~crc;
}

uint32_t masked_crc32c(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

std::string event_record(std::string_view message) {
  std::string record;
  put(record, uint64_t(message.size()));
  put(record, masked_crc32c(record));
  record += message;
  put(record, masked_crc32c(message));
  return record;
}

// Summary { value = 1 { tag = 1, simple_value = 2 (float) } }
std::string scalar_event(int64_t step, double wall_seconds, const std::vector<Scalar>& scalars) {
  std::string summary;
  for (const auto& scalar : scalars) {
    std::string value;
    put_text(value, 1, scalar.tag);
    put_key(value, 2, kFour);
    put(value, float(scalar.value));
    put_text(summary, 1, value);
  }
  std::string event = event_start(step, wall_seconds);
  put_text(event, 5, summary);
  return event;
}

Result<TensorboardEvents> TensorboardEvents::create(const std::string& folder, double wall_seconds) {
  const std::string path =
      fmt::format("{}/events.out.tfevents.{}.{}.plimsoll", folder, int64_t(wall_seconds), getpid());
  PLIM_ASSIGN(AppendFile file, AppendFile::open(path));
  std::string version = event_start(0, wall_seconds);
  put_text(version, 3, "brain.Event:2");
  PLIM_TRY(file.append(event_record(version)));
  return TensorboardEvents(std::move(file));
}

Status TensorboardEvents::add(int64_t step, double wall_seconds, const std::vector<Scalar>& scalars) {
  return file_.append(event_record(scalar_event(step, wall_seconds, scalars)));
}

}  // namespace plimsoll
