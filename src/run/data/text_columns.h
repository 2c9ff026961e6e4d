// TextColumns: where a line of a CSV file has its label and its text. Columns may have titles and either order; fields
// may be in quotes ("" is a quote in one).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

struct LabelledText {
  std::string label;
  std::string_view text;  // as written, quotes and all: they are in no word
};

struct TextColumns {
  bool titled = false;  // the first line is titles
  size_t label = 0, text = 1, count = 2;

  Result<LabelledText> read(std::string_view line) const;
};

// From the first lines of a file. `classes`: labels that are known from training, empty where there are none. Without
// titles the first column is the label, unless the last one plainly is: shorter and with fewer different values, or the
// known ones.
TextColumns columns_of(const std::vector<std::string>& first_lines, const std::vector<std::string>& classes);

// The fields of a line, cut at commas outside of quotes.
std::vector<std::string_view> csv_fields(std::string_view line);

}  // namespace plimsoll
