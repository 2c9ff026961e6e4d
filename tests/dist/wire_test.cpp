// Gradients in 16 bits between workers: nearly the same training, the same bits on all ranks, and the error told.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

using Wire = Workers;

nlohmann::json last_event(const std::string& run, const std::string& name) {
  nlohmann::json found;
  std::ifstream log(run + "/log.jsonl");
  for (std::string line; std::getline(log, line);)
    if (const auto json = nlohmann::json::parse(line); json["event"] == name) found = json;
  return found;
}

TEST_F(Wire, SixteenBitsTrainAsThirtyTwoDoAndTheErrorIsTold) {
  const std::vector<std::string> plain{"--optimizer", "sgd", "--max-steps", "4"};
  const Ran whole = train("f32", 2, 8, plain);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const auto exact = nlohmann::json::parse(whole.out)["wire"];
  EXPECT_EQ(exact["format"], "f32");
  EXPECT_TRUE(exact["error"].is_null());
  for (const auto& [format, digit] : {std::pair{"bf16", 0x1p-8}, std::pair{"f16", 0x1p-11}}) {
    auto flags = plain;
    flags.insert(flags.end(), {"--wire", format});
    const Ran ran = train(format, 2, 8, flags);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;  // all ranks held the same weights, else nothing were saved
    const auto wire = nlohmann::json::parse(ran.out)["wire"];
    EXPECT_EQ(wire["format"], format);
    EXPECT_EQ(wire["step_bytes"].get<int64_t>() * 2, exact["step_bytes"].get<int64_t>());
    for (const char* key : {"error", "mean_error"}) {
      EXPECT_LT(wire[key].get<double>(), digit) << key;
      EXPECT_GT(wire[key].get<double>(), digit / 20) << key;
      EXPECT_GE(wire["largest_" + std::string(key)], wire[key]);
    }
    EXPECT_EQ(last_event(run_dir(format), "end")["wire_error"], wire["error"]);
    EXPECT_GT(last_event(run_dir(format), "step")["wire_error"].get<double>(), 0);
    const auto found = losses(format), expected = losses("f32");
    EXPECT_EQ(found.at(0), expected.at(0));  // before anything was sent
    EXPECT_NEAR(found.at(3), expected.at(3), 1e-2 * expected[3]);
    EXPECT_NE(weights(format), weights("f32"));
  }
}

TEST_F(Wire, ResumedItTravelsAsBefore) {
  ASSERT_EQ(train("whole", 2, 8, {"--max-steps", "6", "--wire", "bf16"}).exit_code, 0);
  ASSERT_EQ(train("run", 2, 8, {"--max-steps", "3", "--wire", "bf16"}).exit_code, 0);
  const std::vector<std::string> on{PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "--max-steps", "6"};
  auto other = on;
  other.insert(other.end(), {"--wire", "f16"});
  const Ran refused = StartedProgram(other).wait();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--wire is 'f16', but the run was started with 'bf16'"), std::string::npos) << refused.err;
  const Ran ran = StartedProgram(on).wait();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("Gradients travelled in bf16"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Rounding to bf16 changed them by 0.1"), std::string::npos) << ran.out;
  EXPECT_EQ(weights("run"), weights("whole"));
}

}  // namespace
}  // namespace plimsoll
