// Which number of which team the calling thread works on just now.
#pragma once

namespace plimsoll {

class Pool;

struct Membership {
  Pool* pool = nullptr;  // nullptr: outside of any team of several
  int number = 0, members = 1;
};

Membership& own_membership();

// For as long as it lives.
class WorksAs {
 public:
  explicit WorksAs(Membership as) : before_(own_membership()) { own_membership() = as; }
  ~WorksAs() { own_membership() = before_; }
  WorksAs(const WorksAs&) = delete;
  WorksAs& operator=(const WorksAs&) = delete;

 private:
  Membership before_;
};

}  // namespace plimsoll
