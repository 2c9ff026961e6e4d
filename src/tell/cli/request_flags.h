// RequestFlags: the rows of a request as flags of a verb. Each row is one flag, with its help, unit and default, under
// the heading of its subject; what was typed is read into the request by the row itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rows/fields.h"

namespace CLI {
class App;
}

namespace plimsoll {

// What --help says before and after the flags.
void describe_verb(CLI::App& app, const std::string& description, const std::string& footer);

class RequestFlags {
 public:
  // Adds the rows to `app`, sorted by subject. The fields' request and the app live as long as this.
  RequestFlags(CLI::App& app, Fields fields);
  ~RequestFlags();

  // What was typed, into the request. Fields that were typed are marked as given.
  Status read();

  const Fields& fields() const { return fields_; }
  std::vector<std::string> given() const;  // names

 private:
  struct Typed;
  Fields fields_;
  std::vector<std::unique_ptr<Typed>> typed_;  // one a field
};

}  // namespace plimsoll
