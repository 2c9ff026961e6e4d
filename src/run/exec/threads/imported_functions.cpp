#include "run/exec/threads/imported_functions.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace plimsoll {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kSlotTypes[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#elif defined(__aarch64__)
constexpr uint32_t kSlotTypes[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#else
constexpr uint32_t kSlotTypes[] = {0};  // no such type: nothing is ever found
#endif

// A loaded library as the dynamic linker describes it.
struct LoadedLibrary {
  uintptr_t base = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> calls, others;  // places that hold addresses of functions, and of anything
  uintptr_t sealed_from = 0, sealed_to = 0;   // made read-only once it was linked
};

// glibc has made addresses of what the file gives as offsets; musl has not.
uintptr_t absolute(uintptr_t base, uintptr_t value) { return value < base ? base + value : value; }

LoadedLibrary describe(const dl_phdr_info& info) {
  LoadedLibrary library{.base = info.dlpi_addr};
  const ElfW(Dyn)* entries = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& header = info.dlpi_phdr[i];
    if (header.p_type == PT_DYNAMIC) entries = reinterpret_cast<const ElfW(Dyn)*>(library.base + header.p_vaddr);
    if (header.p_type == PT_GNU_RELRO) {
      library.sealed_from = library.base + header.p_vaddr;
      library.sealed_to = library.sealed_from + header.p_memsz;
    }
  }
  uintptr_t calls = 0, others = 0;
  size_t calls_bytes = 0, others_bytes = 0;
  for (; entries && entries->d_tag != DT_NULL; ++entries) {
    const uintptr_t address = absolute(library.base, entries->d_un.d_ptr);
    switch (entries->d_tag) {
      case DT_SYMTAB: library.symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: library.names = reinterpret_cast<const char*>(address); break;
      case DT_JMPREL: calls = address; break;
      case DT_PLTRELSZ: calls_bytes = entries->d_un.d_val; break;
      case DT_RELA: others = address; break;
      case DT_RELASZ: others_bytes = entries->d_un.d_val; break;
      default: break;
    }
  }
  library.calls = {reinterpret_cast<const ElfW(Rela)*>(calls), calls_bytes / sizeof(ElfW(Rela))};
  library.others = {reinterpret_cast<const ElfW(Rela)*>(others), others_bytes / sizeof(ElfW(Rela))};
  return library;
}

struct Search {
  std::string_view name;
  LoadedLibrary found;
  bool any = false;
};

int look_at(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (std::string_view(info->dlpi_name).find(search.name) == std::string_view::npos) return 0;
  search.found = describe(*info);
  search.any = true;
  return 1;
}

using Slot = std::pair<uintptr_t, void*>;  // where an address stands, and what is to stand there

struct Wanted {
  std::span<const Replacement> replacements;
  const std::function<bool(std::string_view)>& related;
  std::vector<bool> seen = std::vector<bool>(replacements.size());
  std::vector<Slot> slots{};

  // False: an import that is related and that we have nothing for.
  bool look_through(const LoadedLibrary& library, std::span<const ElfW(Rela)> places) {
    for (const auto& place : places) {
      if (std::find(std::begin(kSlotTypes), std::end(kSlotTypes), ELF64_R_TYPE(place.r_info)) == std::end(kSlotTypes))
        continue;
      const std::string_view name = library.names + library.symbols[ELF64_R_SYM(place.r_info)].st_name;
      const auto one = std::find_if(replacements.begin(), replacements.end(),
                                    [&](const Replacement& replacement) { return replacement.name == name; });
      if (one != replacements.end()) {
        slots.emplace_back(library.base + place.r_offset, one->function);
        seen[size_t(one - replacements.begin())] = true;
      } else if (related(name)) {
        return false;
      }
    }
    return true;
  }
};

// What the linker has sealed is opened for a moment.
bool write_slot(const LoadedLibrary& library, const Slot& slot) {
  const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE)), from = slot.first / page * page;
  const bool sealed = slot.first >= library.sealed_from && slot.first < library.sealed_to;
  if (sealed && mprotect(reinterpret_cast<void*>(from), page, PROT_READ | PROT_WRITE) != 0) return false;
  *reinterpret_cast<void**>(slot.first) = slot.second;
  if (sealed) mprotect(reinterpret_cast<void*>(from), page, PROT_READ);
  return true;
}

}  // namespace

bool replace_imports(std::string_view library, std::span<const Replacement> replacements,
                     const std::function<bool(std::string_view)>& related) {
  Search search{library, {}};
  dl_iterate_phdr(look_at, &search);
  if (!search.any || !search.found.symbols || !search.found.names) return false;
  Wanted wanted{replacements, related};
  if (!wanted.look_through(search.found, search.found.calls) || !wanted.look_through(search.found, search.found.others))
    return false;
  if (std::find(wanted.seen.begin(), wanted.seen.end(), false) != wanted.seen.end()) return false;
  std::vector<Slot> before;  // to go back where a system lets us write some and not all
  for (const Slot& slot : wanted.slots) {
    const Slot old{slot.first, *reinterpret_cast<void**>(slot.first)};
    if (!write_slot(search.found, slot)) {
      for (const Slot& written : before) write_slot(search.found, written);
      return false;
    }
    before.push_back(old);
  }
  return true;
}

}  // namespace plimsoll
