#include "base/rows/row.h"

#include <algorithm>
#include <cctype>

namespace plimsoll {

std::string_view heading_of(Subject subject) {
  switch (subject) {
    case Subject::network: return "Network";
    case Subject::step: return "Step";
    case Subject::machine: return "Machine";
    case Subject::job: return "Job";
    case Subject::loading: return "Loading";
    case Subject::data: return "Data";
    case Subject::training: return "Training";
    case Subject::workers: return "Workers";
    case Subject::engine: return "Engine";
    case Subject::view: return "View";
    case Subject::output: return "Output";
  }
  return "Options";
}

std::string flag_named(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string flag_of(const Row& row) {
  if (!row.positional) return flag_named(row.name);
  std::string name = row.name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return name;
}

}  // namespace plimsoll
