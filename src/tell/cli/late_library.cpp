#include "tell/cli/late_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "tell/cli/command.h"

namespace plimsoll {
namespace {

[[noreturn]] void end(const char* library) {
  const char* why = dlerror();
  std::fprintf(stderr, "plimsoll: %s could not be loaded: %s\n", library, why ? why : "no reason was given");
  std::_Exit(kExitEnvironment);
}

// MPI loads parts of itself, which look for its functions among those that all can see.
void* open(const char* library) {
  const bool seen_by_all = std::strncmp(library, "libmpi", 6) == 0;
  void* const handle = dlopen(library, RTLD_LAZY | (seen_by_all ? RTLD_GLOBAL : RTLD_LOCAL));
  if (!handle) end(library);
  return handle;
}

}  // namespace
}  // namespace plimsoll

extern "C" [[gnu::visibility("hidden"), gnu::used]] void* plim_late_find(size_t index) {
  const auto& [library, name] = plim_late_functions[index];
  void* const address = dlsym(plimsoll::open(library), name);
  if (!address) plimsoll::end(library);
  __atomic_store_n(&plim_late_addresses[index], address, __ATOMIC_RELAXED);
  return address;
}

// With the index in r11. Arguments are in six registers, in eight for numbers with a point, and rax counts those; what
// is on the stack stays where it is.
asm(R"(
    .text
    .hidden plim_late_first_call
    .globl plim_late_first_call
    .type plim_late_first_call, @function
plim_late_first_call:
    .cfi_startproc
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %rax
    subq $128, %rsp
    .cfi_adjust_cfa_offset 184
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movq %r11, %rdi
    call plim_late_find
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $128, %rsp
    popq %rax
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    .cfi_adjust_cfa_offset -184
    jmp *%r11
    .cfi_endproc
)");
