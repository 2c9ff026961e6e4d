// What comes out of mpirun's standard error: the workers' own lines, which go on at once, and mpirun's words about
// them, which are kept. Only mpirun, as the parent of the workers, knows which signal ended one.
#pragma once

#include <optional>
#include <string>

namespace plimsoll {

class MpirunText {
 public:
  // What of `text` goes on to the user.
  std::string pass(const std::string& text);

  const std::string& kept() const { return kept_; }

  struct EndedBySignal {
    int rank = 0, signal = 0;
    std::string host;
  };
  std::optional<EndedBySignal> ended_by_signal() const;

 private:
  bool is_rule(const std::string& line) const;
  bool may_be_kept() const;
  bool is_its_own(const std::string& line) const;

  std::string line_;   // begun, not passed on
  bool open_ = false;  // a line is on its way that was passed on in part
  bool inside_ = false;
  bool after_its_own_ = false;
  std::string kept_;
};

}  // namespace plimsoll
