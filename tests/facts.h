// The published tables of tests/data/facts, row by row.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace plimsoll {

using FactRow = std::map<std::string, std::string>;  // column → cell

inline std::vector<std::string> split_csv_line(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) cells.emplace_back();
    else if (c != '\r') cells.back() += c;
  }
  return cells;
}

inline std::vector<FactRow> csv_rows(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::vector<std::string> columns;
  std::vector<FactRow> rows;
  while (std::getline(in, line)) {
    const auto cells = split_csv_line(line);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    FactRow row;
    for (size_t i = 0; i < columns.size(); ++i) row[columns[i]] = i < cells.size() ? cells[i] : "";
    rows.push_back(std::move(row));
  }
  EXPECT_FALSE(rows.empty()) << path << " is missing or empty";
  return rows;
}

inline std::vector<FactRow> facts(const std::string& file) {
  return csv_rows(std::string(PLIM_TEST_DATA) + "/facts/" + file);
}

}  // namespace plimsoll
