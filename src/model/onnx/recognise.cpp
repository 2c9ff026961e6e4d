#include "model/onnx/recognise.h"

#include <algorithm>
#include <cctype>

namespace plimsoll {
namespace {

constexpr int64_t kHead = 512;  // bytes that are looked at
constexpr uint64_t kLongestSafetensorsHeader = 100'000'000;

struct Magic {
  std::string_view start;
  std::string_view what;
  std::string_view hint;
};

constexpr std::string_view kPickle =
    "a PyTorch file holds Python objects that may run code; export it with torch.onnx.export";

constexpr Magic kMagics[] = {
    {"version https://git-lfs", "a Git LFS pointer, not the file itself", "Git LFS pointer: run git lfs pull"},
    {"PK\x03\x04", "a zip archive or a PyTorch .pt file, not ONNX", kPickle},
    {"\x80\x02", "a pickle file, not ONNX", kPickle},
    {"\x80\x03", "a pickle file, not ONNX", kPickle},
    {"\x80\x04", "a pickle file, not ONNX", kPickle},
    {"\x80\x05", "a pickle file, not ONNX", kPickle},
    {"\x1f\x8b", "a gzip file, not ONNX", "unpack it with gunzip first"},
    {"\x28\xb5\x2f\xfd", "a zstd file, not ONNX", "unpack it with unzstd first"},
    {"BZh", "a bzip2 file, not ONNX", "unpack it with bunzip2 first"},
    {"\xfd"
     "7zXZ",
     "an xz file, not ONNX", "unpack it with unxz first"},
    {"GGUF", "a GGUF file, not ONNX", "it holds weights without a graph; export the network to ONNX"},
    {"\x89HDF", "an HDF5 file, not ONNX", "a Keras model is converted with tf2onnx"},
};

bool is_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7F : byte == '\n' || byte == '\r' || byte == '\t';
  });
}

bool starts_html(std::string_view head) {
  std::string lower;
  for (const char c : head.substr(0, 64))
    if (!std::isspace(static_cast<unsigned char>(c)) || !lower.empty())
      lower.push_back(char(std::tolower(static_cast<unsigned char>(c))));
  return lower.starts_with("<!doctype") || lower.starts_with("<html") || lower.starts_with("<?xml") ||
         lower.starts_with("<head");
}

bool is_safetensors(std::string_view head) {
  if (head.size() < 9 || head[8] != '{') return false;
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(head[size_t(i)]);
  return length >= 2 && length <= kLongestSafetensorsHeader;
}

}  // namespace

std::optional<Error> recognise(const ByteSource& source) {
  std::string head(size_t(std::min(source.size(), kHead)), '\0');
  if (head.empty() || !source.read(0, head).ok()) return std::nullopt;
  for (const auto& magic : kMagics)
    if (head.starts_with(magic.start)) return user_error(std::string(magic.what), std::string(magic.hint));
  if (is_safetensors(head))
    return user_error("a safetensors file, not ONNX", "it holds weights without a graph; export the network to ONNX");
  if (!is_text(head)) return std::nullopt;
  if (starts_html(head))
    return user_error("an HTML page, not ONNX", "the download gave a web page; fetch the raw file");
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (head[first] == '{' || head[first] == '['))
    return user_error("JSON text, not ONNX", "give the .onnx file itself");
  return user_error("text, not ONNX", "an .onnx file is binary");
}

}  // namespace plimsoll
