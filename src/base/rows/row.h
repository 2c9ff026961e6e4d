// Row: all that is said of one field of a request, in one place. Flags and their help, JSON, its schema, the page's
// types, what may change when a run is resumed and what workers must agree on are all read from it.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "base/numbers.h"

namespace plimsoll {

// The headings of --help, in this order.
enum class Subject { network, step, machine, job, loading, data, training, workers, engine, view, output };
std::string_view heading_of(Subject subject);

// What a resumed run makes of a field that is given again.
enum class OnResume {
  same,        // it must be what the run was begun with
  may_change,  // it moves no number of the result, or says when to stop
  not_kept,    // it is about this call, not about the run
};

struct Row {
  std::string name;  // as in JSON: load_line; on the command line --load-line
  Subject subject = Subject::view;
  std::string help;      // what it is, without default and unit
  std::string value;     // what stands for it in --help: N, SIZE, NAME
  std::string fallback;  // the default in words, where the field's own first value does not say it
  std::string unit;      // of a plain number in JSON: "bytes", "seconds"
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  Edge edge = Edge::included;        // of the least
  std::vector<std::string> choices;  // of a text that is one of a few
  std::string bare;                  // what the flag means without a value; empty: it needs one
  std::vector<std::string> aliases;  // other names that people try, with dashes
  char separator = ',';              // between the entries of a list on the command line; 0: each is given by itself
  bool positional = false;           // MODEL instead of --model
  bool required = false;
  bool hidden = false;  // not in --help: for our own processes
  bool page = false;    // the page may ask it
  OnResume resume = OnResume::same;
  bool workers_differ = false;  // workers of one run need not agree on it
};

// load_line → --load-line; a positional one is called by its name in capitals.
std::string flag_of(const Row& row);
std::string flag_named(std::string_view name);

}  // namespace plimsoll
