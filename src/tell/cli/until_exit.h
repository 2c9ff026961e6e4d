// until_exit: what is kept as long as the process lives and then left to the system. An answer about memory holds the
// training steps that it was found with, and to free them piece by piece takes longer than to print the answer.
#pragma once

#include <deque>
#include <utility>

namespace plimsoll {

template <class T>
const T& until_exit(T&& value) {
  static auto* const kept = new std::deque<T>();  // never destroyed
  return kept->emplace_back(std::move(value));
}

}  // namespace plimsoll
