#include "run/data/text_columns.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::pair<std::string, std::string> read(const TextColumns& columns, std::string_view line) {
  const auto parsed = columns.read(line);
  if (!parsed.ok()) return {"", parsed.error().line()};
  return {parsed->label, std::string(parsed->text)};
}

TEST(TextColumns, TitlesTellTheOrder) {
  const TextColumns columns = columns_of({"text,label", "\"bad, awful\",neg"}, {});
  EXPECT_TRUE(columns.titled);
  EXPECT_EQ(read(columns, "\"bad, awful\",neg"), std::pair(std::string("neg"), std::string("\"bad, awful\"")));
  EXPECT_EQ(read(columns, "\"great, \"\"really\"\" good\",pos").first, "pos");
  const TextColumns wide = columns_of({"id,\"Sentiment\",Review"}, {});
  EXPECT_TRUE(wide.titled);
  EXPECT_EQ(read(wide, "7,pos,nice, very"), std::pair(std::string("pos"), std::string("nice, very")));
  EXPECT_EQ(read(wide, "7,pos").second, "has 2 fields, expected 3 as in the titles");
}

TEST(TextColumns, WithoutTitlesTheLabelIsFirstUnlessTheLastOnePlainlyIs) {
  EXPECT_EQ(columns_of({"pos,nice film", "neg,awful film", "pos,good film, really"}, {}).label, 0u);
  const TextColumns swapped = columns_of({"nice film,pos", "awful film,neg", "good film,pos", "dull one,neg"}, {});
  EXPECT_FALSE(swapped.titled);
  EXPECT_EQ(swapped.label, 1u);
  EXPECT_EQ(read(swapped, "nice film,pos"), std::pair(std::string("pos"), std::string("nice film")));
  EXPECT_EQ(read(swapped, "a, b and c,pos"), std::pair(std::string("pos"), std::string("a, b and c")));
  EXPECT_EQ(columns_of({"spam,hello", "ham,hello"}, {}).label, 0u);
}

TEST(TextColumns, KnownLabelsDecide) {
  EXPECT_EQ(columns_of({"film,pos", "movie,neg"}, {"neg", "pos"}).label, 1u);
  EXPECT_EQ(columns_of({"pos,film", "neg,film"}, {"neg", "pos"}).label, 0u);
}

TEST(TextColumns, Mistakes) {
  const TextColumns columns;
  EXPECT_EQ(read(columns, "no comma").second, "has no comma, expected a label and a text");
  EXPECT_EQ(read(columns, ",text").second, "has no label, expected a label and a text");
  EXPECT_EQ(read(columns, std::string(300, 'x') + ",text").second, "has a label of more than 200 bytes");
  EXPECT_EQ(read(columns, "\"a \"\"b\"\"\",text").first, "a \"b\"");
}

}  // namespace
}  // namespace plimsoll
