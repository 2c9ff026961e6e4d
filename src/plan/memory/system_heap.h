// SystemHeap: the books of the C library's allocator (glibc's malloc), which PyTorch uses on a CPU. It takes no memory
// itself; it counts what a process would hold and how much of it the system has to hand out anew.
//
// Requests are served from the smallest free piece of the heap that holds them, else from its end. Large ones that no
// piece holds are mapped by themselves and given back when they are freed; what is large grows with what was freed, up
// to 32 MiB. When the end of the heap is free for twice that, it goes back to the system. Whatever comes from the
// system is cleared and mapped page by page at its first touch, which takes far longer than reading it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/units.h"

namespace plimsoll {

class SystemHeap {
 public:
  int32_t take(Bytes bytes);
  void give_back(int32_t block);

  Bytes resident() const { return Bytes(end_ + mapped_); }
  Bytes most_resident() const { return Bytes(most_); }
  Bytes fresh() const { return Bytes(fresh_); }  // handed out by the system so far

 private:
  struct Block {
    int64_t at = 0, size = 0;
    bool mapped = false;
  };

  void add_free(int64_t at, int64_t size);
  void remove_free(std::map<int64_t, int64_t>::iterator piece);
  void trim();

  std::vector<Block> blocks_;
  std::map<int64_t, int64_t> free_;                // by position: size
  std::set<std::pair<int64_t, int64_t>> by_size_;  // the same: size, position
  int64_t end_ = 0, mapped_ = 0, most_ = 0, fresh_ = 0;
  int64_t mapped_from_ = int64_t{128} << 10;  // bytes; grows
};

}  // namespace plimsoll
