// The live line of several workers is that of one: drawn on the terminal of whoever started them.
#include <regex>

#include "tests/dist/on_terminal.h"
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

constexpr unsigned short kColumns = 70;

size_t columns_of(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

class LiveLine : public Workers {
 protected:
  RanOnTerminal on_terminal(const std::string& name, int np) {
    auto all = words(name, np, 24, {"--epochs", "2"});
    std::erase(all, "--quiet");
    return run_on_terminal(all, kColumns);
  }
  // Everything between two carriage returns that begins as a step's line does. Lines of text end with both "\r\n".
  static std::vector<std::string> bars(const std::string& shown) {
    std::vector<std::string> found;
    for (size_t at = 0; (at = shown.find("\repoch ", at)) != std::string::npos; ++at) {
      const std::string line = shown.substr(at + 1, shown.find_first_of("\r\n", at + 1) - at - 1);
      if (line.find('[') != std::string::npos) found.push_back(line);
    }
    return found;
  }
};

TEST_F(LiveLine, IsTheSameWithAndWithoutWorkers) {
  const std::regex form(R"(epoch [12]/2  \[[^\]]*\]  \d+/\d+  loss \d+\.\d{4}  accuracy .*)");
  for (const int np : {1, 2}) {
    const RanOnTerminal ran = on_terminal(std::to_string(np), np);
    ASSERT_EQ(ran.exit_code, 0) << ran.shown;
    const auto drawn = bars(ran.shown);
    ASSERT_GE(drawn.size(), 2u) << ran.shown;  // at least the last step of each epoch
    for (const auto& line : drawn) {
      EXPECT_TRUE(std::regex_match(line, form)) << line;
      EXPECT_LT(columns_of(line), kColumns) << line;
    }
    EXPECT_NE(drawn.back().find("█"), std::string::npos);
    // Each epoch's own line stands by itself where the bar was.
    EXPECT_TRUE(std::regex_search(ran.shown, std::regex("\r +\repoch 1/2  loss [^\r]*images/s\r\n"))) << ran.shown;
  }
}

TEST_F(LiveLine, IsNotDrawnIntoAFile) {
  auto all = words("run", 2, 24, {"--epochs", "1"});
  std::erase(all, "--quiet");
  const Ran ran = StartedProgram(all).wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err.find('\r'), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("epoch 1/1  loss"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
