// What a run of several workers says of the exchange of its gradients.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

class Overlap : public Workers {
 protected:
  // What the log says of the exchange; null when it says nothing.
  nlohmann::json logged(const std::string& name) const {
    std::ifstream log(run_dir(name) + "/log.jsonl");
    nlohmann::json found;
    for (std::string line; std::getline(log, line);)
      if (const auto json = nlohmann::json::parse(line); json.contains("hidden_communication")) found = json;
    return found;
  }
};

TEST_F(Overlap, TheHiddenShareIsToldInTheAnswerAndInTheLog) {
  const Ran ran = train("two", 2, 8, {"--max-steps", "4"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out), log = logged("two");
  const double travelled = json["communication_seconds"], waited = json["exposed_communication_seconds"];
  EXPECT_GT(travelled, 0);
  EXPECT_GT(waited, 0);
  EXPECT_DOUBLE_EQ(json["hidden_communication"], 1 - std::min(1.0, waited / travelled));
  for (const char* name : {"communication_seconds", "exposed_communication_seconds", "hidden_communication"})
    EXPECT_EQ(log.at(name), json[name]) << name;
}

TEST_F(Overlap, OneWorkerHasNothingToHide) {
  const Ran ran = train("one", 1, 8, {"--max-steps", "2"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(nlohmann::json::parse(ran.out)["hidden_communication"].is_null());
  EXPECT_TRUE(logged("one").is_null());
}

TEST_F(Overlap, ItIsSaidInWordsToo) {
  auto all = words("run", 2, 8, {"--max-steps", "2"});
  std::erase(all, "--json");
  const Ran ran = StartedProgram(all).wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find(" % were hidden behind computing."), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace plimsoll
