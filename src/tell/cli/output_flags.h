// OutputFlags: how an answer is shown on the command line. Not part of any request: the answer is the same.
#pragma once

#include <optional>
#include <string>

#include "base/rows/fields.h"

namespace plimsoll {

// Which of them a verb has.
struct OutputRows {
  bool tables = false;  // --csv and --markdown
  bool quiet = true;    // --quiet
  std::string plot;     // what --plot draws; empty: the verb has none
  std::string json = "one JSON document";
  std::string quiet_help = "print nothing but the answer";
};

struct OutputFlags {
  bool json = false, csv = false, markdown = false, quiet = false;
  std::optional<std::string> plot;

  void describe(Fields& fields, const OutputRows& rows);
  Status check() const;  // at most one form; the plot's name
};

}  // namespace plimsoll
