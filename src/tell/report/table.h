// Table: rows and columns of text, drawn for a terminal, as Markdown or as CSV. Cells may hold a
// stranger's names: each drawing makes them safe for its reader.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
    size_t longest = 0;  // cells longer than this are cut in the middle on a terminal; 0: never
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells);  // one cell a column
  void add_line();                           // a rule between rows; only drawn on a terminal

  std::string text() const;
  std::string markdown() const;
  std::string csv() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

}  // namespace plimsoll
