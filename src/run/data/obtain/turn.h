// Turn: one process at a time makes a set, for instance one of the eight workers of a host; the others wait until it is
// there, or make it themselves where the first has failed. Held while the object lives, and given back by the system if
// its holder is killed. Where the file system knows no locks nobody waits: then some work is done twice, no more.
#pragma once

#include <functional>
#include <string>

#include "base/byte_source.h"

namespace plimsoll {

class Turn {
 public:
  // `path` is a file that is there only while somebody has the turn; `wait` is told before another one is waited for.
  Turn(std::string path, const std::function<void()>& wait);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::string path_;
  FileHandle lock_;
};

}  // namespace plimsoll
