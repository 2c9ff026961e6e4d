// A stranger's names in a table: nothing reaches the terminal, the spreadsheet or the page raw.
#include "tell/report/table.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Table one(const std::string& name, size_t longest = 0) {
  Table table({{"Name", Table::Align::left, longest}, {"N"}});
  table.add({name, "1"});
  return table;
}

TEST(Table, AlignsByCharactersNotBytes) {
  Table table({{"Name", Table::Align::left}, {"N"}});
  table.add({"é", "1"});
  table.add({"ab", "22"});
  EXPECT_EQ(table.text(), "Name   N\n────────\né      1\nab    22\n");
}

TEST(Table, EscapesControlCharactersOnATerminal) {
  EXPECT_EQ(one("\x1b[31mred\n").text().find('\x1b'), std::string::npos);
  EXPECT_NE(one("\x1b[31mred\n").text().find("\\x1B[31mred\\n"), std::string::npos);
  EXPECT_NE(one("a\xE2\x80\xAE"
                "b")
                .text()
                .find("\\u{202E}"),
            std::string::npos);  // right-to-left override
  EXPECT_NE(one("a\xff").text().find("\\xFF"), std::string::npos);
}

TEST(Table, CutsLongNamesInTheMiddle) { EXPECT_NE(one("abcdefghijkl", 7).text().find("abc…jkl"), std::string::npos); }

TEST(Table, SpreadsheetsSeeNoFormula) {
  EXPECT_EQ(one("=HYPERLINK(1)").csv(), "Name,N\n'=HYPERLINK(1),1\n");
  EXPECT_EQ(one("@x").csv(), "Name,N\n'@x,1\n");
  EXPECT_EQ(one("a,\"b\"").csv(), "Name,N\n\"a,\"\"b\"\"\",1\n");
}

TEST(Table, MarkdownSeesNoTagsOrPipes) {
  EXPECT_EQ(one("<script>|").markdown(), "| Name | N |\n|---|---:|\n| &lt;script>\\| | 1 |\n");
}

}  // namespace
}  // namespace plimsoll
