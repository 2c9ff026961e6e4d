#include "run/exec/torch/whole_library.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <vector>

namespace plimsoll {
namespace {

// The first byte after all segments; 0: it is no library that we can read, and its loader says so.
uint64_t end_of_segments(std::ifstream& file) {
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return 0;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return 0;
  if (header.e_phentsize != sizeof(Elf64_Phdr)) return 0;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  uint64_t end = header.e_phoff + segments.size() * sizeof(Elf64_Phdr);
  file.seekg(std::streamoff(header.e_phoff));
  if (!file.read(reinterpret_cast<char*>(segments.data()), std::streamsize(segments.size() * sizeof(Elf64_Phdr))))
    return end;
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD) end = std::max<uint64_t>(end, segment.p_offset + segment.p_filesz);
  return end;
}

}  // namespace

bool is_whole_library(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const uint64_t end = file ? end_of_segments(file) : 0;
  file.clear();
  file.seekg(0, std::ios::end);
  return end == 0 || uint64_t(file.tellg()) >= end;
}

}  // namespace plimsoll
