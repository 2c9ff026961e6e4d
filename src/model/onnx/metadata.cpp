#include "model/onnx/metadata.h"

#include "model/onnx/wire_reader.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {
namespace {

constexpr int64_t kLongestEntry = 1 << 24, kMostEntries = 10'000;
constexpr uint64_t kVarint = 0, kEight = 1, kBytes = 2, kFour = 5;

Status damaged() { return user_error("is damaged: its metadata cannot be read"); }

}  // namespace

Result<Metadata> onnx_metadata(const std::string& path) {
  PLIM_ASSIGN(const auto source, open_regular_file(path, ".onnx"));
  WireReader reader(*source);
  const int64_t end = source->size();
  Metadata found;
  while (reader.position() < end && int64_t(found.size()) < kMostEntries) {
    uint64_t key = 0, length = 0;
    if (!reader.varint(end, key)) return reader.error();
    const uint64_t type = key & 7, field = key >> 3;
    if (type == kEight || type == kFour) {
      reader.skip(type == kEight ? 8 : 4);
      continue;
    }
    if ((type != kVarint && type != kBytes) || !reader.varint(end, length)) return damaged().error();
    if (type == kVarint) continue;
    if (length > uint64_t(end - reader.position())) return damaged().error();
    if (field != onnx::ModelProto::kMetadataPropsFieldNumber || int64_t(length) > kLongestEntry) {
      reader.skip(int64_t(length));
      continue;
    }
    std::string bytes;
    if (!reader.copy(int64_t(length), bytes)) return reader.error();
    onnx::StringStringEntryProto entry;
    if (!entry.ParseFromString(bytes)) return damaged().error();
    found[entry.key()] = entry.value();
  }
  return found;
}

}  // namespace plimsoll
