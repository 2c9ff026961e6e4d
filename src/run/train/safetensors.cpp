#include "run/train/safetensors.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/text.h"

namespace plimsoll {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are stored as they lie in memory");

constexpr int64_t kLengthBytes = 8;

uint32_t crc(uint32_t before, const void* bytes, size_t count) {
  return uint32_t(crc32_z(before, static_cast<const unsigned char*>(bytes), count));
}

// What a file is whose first bytes make no sense as a header's length.
Error other_format(std::string_view first, uint64_t length, int64_t file_bytes) {
  constexpr const char* kPickle = "convert it to safetensors where it came from";
  if (first.starts_with("PK\x03\x04"))
    return user_error("is a PyTorch archive or another zip file with pickled objects, which may run code", kPickle);
  if (first.starts_with("\x80\x02") || first.starts_with("\x80\x03") || first.starts_with("\x80\x04") ||
      first.starts_with("\x80\x05"))
    return user_error("is a Python pickle, which may run code", kPickle);
  if (first.starts_with("version ")) return user_error("is a Git LFS pointer, not the file", "run git lfs pull");
  if (first.starts_with("\x89HDF")) return user_error("is an HDF5 file, expected safetensors");
  return user_error(
      fmt::format("byte 0: its header is said to have {} bytes, but at most {} can follow, expected a "
                  "safetensors file",
                  length, std::min(file_bytes - kLengthBytes, kMostHeaderBytes)));
}

}  // namespace

Result<SafetensorsReader> SafetensorsReader::open(const std::string& path) {
  auto source = open_regular_file(path, ".safetensors");
  if (!source.ok()) return std::move(source).error().in(printable(path, 200));
  auto reader = read_from(std::move(source).value());
  if (!reader.ok()) return std::move(reader).error().in(printable(path, 200));
  return reader;
}

Result<SafetensorsReader> SafetensorsReader::read_from(std::unique_ptr<ByteSource> source) {
  const int64_t size = source->size();
  if (size < kLengthBytes)
    return user_error(fmt::format("has {} bytes, expected a safetensors file, which has at least 8", size));
  std::array<char, kLengthBytes> first;
  PLIM_TRY(source->read(0, first));
  uint64_t length = 0;
  std::memcpy(&length, first.data(), sizeof length);
  if (length > uint64_t(std::min(size - kLengthBytes, kMostHeaderBytes)))
    return other_format({first.data(), first.size()}, length, size);
  std::string text(size_t(length), '\0');
  PLIM_TRY(source->read(kLengthBytes, text));
  const int64_t data = kLengthBytes + int64_t(length);
  PLIM_ASSIGN(SafetensorsHeader header, parse_safetensors_header(text, size - data));
  return SafetensorsReader(std::move(source), std::move(header), data);
}

const StoredTensor* SafetensorsReader::find(std::string_view name) const {
  for (const auto& tensor : header_.tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

Status SafetensorsReader::read(const StoredTensor& tensor, std::span<std::byte> into) const {
  PLIM_CHECK(int64_t(into.size()) == tensor.end - tensor.begin, "the room is not the tensor's size");
  return read_part(tensor, 0, into);
}

Status SafetensorsReader::read_part(const StoredTensor& tensor, int64_t first, std::span<std::byte> into) const {
  PLIM_CHECK(first >= 0 && first + int64_t(into.size()) <= tensor.end - tensor.begin, "a part ends after its tensor");
  return source_->read(data_ + tensor.begin + first, {reinterpret_cast<char*>(into.data()), into.size()});
}

Result<uint32_t> SafetensorsReader::checksum() const {
  std::array<char, 32768> buffer;
  uint32_t sum = 0;
  for (int64_t at = 0; at < source_->size();) {
    const auto part = std::span(buffer).first(size_t(std::min<int64_t>(buffer.size(), source_->size() - at)));
    PLIM_TRY(source_->read(at, part));
    sum = crc(sum, part.data(), part.size());
    at += int64_t(part.size());
  }
  return sum;
}

SafetensorsHeader lay_out(std::vector<StoredTensor> tensors, std::map<std::string, std::string> metadata) {
  int64_t at = 0;
  for (auto& tensor : tensors) {
    tensor.begin = at;
    tensor.end = at += tensor.type.bytes().value();
  }
  return {std::move(tensors), std::move(metadata)};
}

int64_t safetensors_file_bytes(const SafetensorsHeader& header) {
  return kLengthBytes + int64_t(safetensors_header_text(header).size()) + header.data_bytes();
}

Result<SafetensorsWriter> SafetensorsWriter::create(const std::string& path, const SafetensorsHeader& header) {
  for (const auto& tensor : header.tensors)
    if (safetensors_name(tensor.type.dtype).empty())
      return user_error(fmt::format("is of type {}, which safetensors has no name for", name_of(tensor.type.dtype)))
          .in("tensor " + plimsoll::in_quotes(tensor.name));
  PLIM_ASSIGN(FileBeside file, FileBeside::create(path));
  const std::string text = safetensors_header_text(header);
  const uint64_t length = text.size();
  SafetensorsWriter writer(std::move(file), kLengthBytes + int64_t(length) + header.data_bytes());
  PLIM_TRY(writer.append(std::as_bytes(std::span(&length, 1))));
  PLIM_TRY(writer.append(std::as_bytes(std::span(text))));
  return writer;
}

Status SafetensorsWriter::append(std::span<const std::byte> bytes) {
  PLIM_CHECK(int64_t(bytes.size()) <= left_, "more bytes than the header promises");
  checksum_ = crc(checksum_, bytes.data(), bytes.size());
  left_ -= int64_t(bytes.size());
  return file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Status SafetensorsWriter::finish() {
  PLIM_CHECK(left_ == 0, "fewer bytes than the header promises");
  return file_.commit();
}

}  // namespace plimsoll
