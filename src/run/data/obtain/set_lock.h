// SetLock: one process at a time makes a set, for instance one of the eight workers of a host; the others wait until it
// is there, or make it themselves where the first has failed. Held while the object lives, and given back by the system
// if its holder is killed. Where the file system knows no locks nobody waits: then some work is done twice, no more.
#pragma once

#include <functional>
#include <string>

#include "base/byte_source.h"

namespace plimsoll {

class SetLock {
 public:
  // `path` is a file that is there only while somebody holds the lock; `wait` is called before waiting for its holder.
  SetLock(std::string path, const std::function<void()>& wait);
  ~SetLock();
  SetLock(const SetLock&) = delete;
  SetLock& operator=(const SetLock&) = delete;

 private:
  std::string path_;
  FileHandle lock_;
};

}  // namespace plimsoll
