// HtmlPage: one HTML file that needs nothing beside it: light and dark, readable on a phone, printable. All text is
// escaped; pictures are SVG.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tell/report/report_lead.h"

namespace plimsoll {

struct HtmlCell {
  HtmlCell(std::string shown) : text(std::move(shown)) {}
  HtmlCell(std::string shown, double sorted_by) : text(std::move(shown)), number(sorted_by) {}
  HtmlCell(const char* shown) : text(shown) {}

  // A PNG file's bytes; the text says what is to be seen. Without bytes: the text alone.
  static HtmlCell picture(std::string png, std::string text);

  std::string text;
  std::optional<double> number;  // what sorting compares; absent: the text
  std::string png = {};
  std::optional<double> shade = {};  // of its ground, from 0 to 1
};

struct HtmlTable {
  std::vector<std::string> columns;
  std::vector<std::vector<HtmlCell>> rows;  // one cell a column
  bool sortable = false;                    // by a click on a column's head, or Enter
  bool folded = false;                      // shown when it is opened
  std::string title = {};                   // of a folded one
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  void lead(const ReportLead& lead);  // first of all
  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void strong(std::string_view text);  // a paragraph that is the answer
  void list(const std::vector<std::string>& items);
  void preformatted(std::string_view text);
  void table(const HtmlTable& table);
  // Side by side where there is room; empty ones are left out.
  void pictures(const std::vector<std::string>& svgs);
  void wide_picture(const std::string& svg);  // scrolled on a narrow screen, not made smaller

  std::string text() const;

 private:
  std::string title_, body_;
  bool sorts_ = false;
};

}  // namespace plimsoll
