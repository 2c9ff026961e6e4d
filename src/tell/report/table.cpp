#include "tell/report/table.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace plimsoll {
namespace {

size_t width_of(const std::string& utf8) {
  return size_t(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// "a very long name" cut to 9 is "a ve…name". Bytes of one character stay together.
std::string shortened(const std::string& text, size_t longest) {
  if (longest < 3 || width_of(text) <= longest) return text;
  const auto is_inside = [&](size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t head = (longest - 1) / 2, tail = text.size() - (longest - 1 - head);
  while (head > 0 && is_inside(head)) --head;
  while (is_inside(tail)) ++tail;
  return text.substr(0, head) + "…" + text.substr(tail);
}

std::string padded(const std::string& cell, size_t width, Table::Align align) {
  const std::string space(width - std::min(width, width_of(cell)), ' ');
  return align == Table::Align::left ? cell + space : space + cell;
}

// A spreadsheet runs a cell that starts like a formula, so such a cell gets a quote in front.
std::string csv_cell(const std::string& raw) {
  std::string cell = printable(raw);
  if (!cell.empty() && std::string("=+-@\t").find(cell[0]) != std::string::npos) cell.insert(0, "'");
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string quoted_cell = "\"";
  for (const char c : cell) quoted_cell += c == '"' ? "\"\"" : std::string(1, c);
  return quoted_cell + "\"";
}

std::string markdown_cell(const std::string& raw) {
  std::string cell;
  for (const char c : printable(raw)) {
    if (c == '<') cell += "&lt;";
    else if (c == '|' || c == '`' || c == '*' || c == '_' || c == '[') cell += std::string("\\") + c;
    else cell += c;
  }
  return cell;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  PLIM_CHECK(cells.size() == columns_.size() && !cells.empty(), "a row of another width than its table");
  rows_.push_back(std::move(cells));
}

void Table::add_line() { rows_.emplace_back(); }

std::string Table::text() const {
  std::vector<std::vector<std::string>> shown;
  std::vector<size_t> widths;
  for (const auto& column : columns_) widths.push_back(width_of(column.title));
  for (const auto& row : rows_) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < row.size(); ++i) {
      cells.push_back(shortened(printable(row[i]), columns_[i].longest));
      widths[i] = std::max(widths[i], width_of(cells[i]));
    }
    shown.push_back(std::move(cells));
  }
  std::string rule, out;
  for (size_t i = 0; i < widths.size(); ++i)
    for (size_t k = 0; k < widths[i] + (i > 0 ? 2 : 0); ++k) rule += "─";
  const auto draw = [&](const auto& cell_of) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i)
      line += (i > 0 ? "  " : "") + padded(cell_of(i), widths[i], columns_[i].align);
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  };
  draw([&](size_t i) { return columns_[i].title; });
  out += rule + "\n";
  for (const auto& row : shown) {
    if (row.empty()) out += rule + "\n";
    else draw([&](size_t i) { return row[i]; });
  }
  return out;
}

std::string Table::markdown() const {
  std::string out = "|", rule = "|";
  for (const auto& column : columns_) {
    out += " " + column.title + " |";
    rule += column.align == Align::left ? "---|" : "---:|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : rows_) {
    if (row.empty()) continue;
    out += "|";
    for (const auto& cell : row) out += " " + markdown_cell(cell) + " |";
    out += "\n";
  }
  return out;
}

std::string Table::csv() const {
  std::string out;
  for (size_t i = 0; i < columns_.size(); ++i) out += (i > 0 ? "," : "") + csv_cell(columns_[i].title);
  out += "\n";
  for (const auto& row : rows_) {
    if (row.empty()) continue;
    for (size_t i = 0; i < row.size(); ++i) out += (i > 0 ? "," : "") + csv_cell(row[i]);
    out += "\n";
  }
  return out;
}

}  // namespace plimsoll
