// Libraries that are loaded at the first call of one of their functions and not when the program starts: to load
// oneDNN, MPI and those that read pictures takes as long as an answer that needs none of them. Only the program
// `plimsoll` does so; tests and the libraries for others are linked as usual.
//
// For each function there is a stub of its name (cmake/late_libraries.cmake writes them). It jumps to the address that
// is kept for it; at its first call there is none, and plim_late_first_call finds it, with all arguments untouched.
// Any thread may be first. A library that cannot be loaded ends the process, as it would if it were linked.
#pragma once

#include <cstddef>

namespace plimsoll {

struct LateFunction {
  const char* library;  // the file that a linker would ask for
  const char* name;
};

}  // namespace plimsoll

extern "C" {
#pragma GCC visibility push(hidden)
extern void* plim_late_addresses[];  // nullptr until the first call
extern const plimsoll::LateFunction plim_late_functions[];
#pragma GCC visibility pop
}

// r11 is the one register that is neither an argument nor to be kept.
#define PLIM_STUB(function, index)                 \
  asm(".text\n"                                    \
      ".globl " #function                          \
      "\n"                                         \
      ".hidden " #function                         \
      "\n"                                         \
      ".type " #function ", @function\n" #function \
      ":\n"                                        \
      "  movq plim_late_addresses+8*" #index       \
      "(%rip), %r11\n"                             \
      "  testq %r11, %r11\n"                       \
      "  je 1f\n"                                  \
      "  jmp *%r11\n"                              \
      "1: movl $" #index                           \
      ", %r11d\n"                                  \
      "  jmp plim_late_first_call\n");
