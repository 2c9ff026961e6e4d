// What a training says when other programs had the processors too.
#include <gtest/gtest.h>

#include "run/ask/train_reply.h"
#include "tell/cli/progress.h"
#include "tell/report/train_report.h"

namespace plimsoll {
namespace {

TrainingOutlook probed_outlook() {
  TrainingOutlook outlook;
  outlook.predicted_step = Seconds{0.02};
  return outlook;
}

TrainingResult result_beside(double others) {
  TrainingResult result;
  result.outcome.steps = 100;
  result.outcome.step_seconds = {0.04};
  result.outcome.others = others;
  return result;
}

Json json_of(const TrainingOutlook& outlook, const TrainingResult& result) {
  return reply_json(TrainReply{&outlook, &result});
}

TEST(BusyMachine, TheLiveLineSaysWhatOthersHad) {
  TrainingState state;
  StepSeen step{.state = &state, .epochs = 1, .steps_per_epoch = 10, .last_step = 10};
  EXPECT_EQ(progress_line(step, Bytes(1), Bytes(2), false).find("other programs"), std::string::npos);
  step.others = 0.04;
  EXPECT_EQ(progress_line(step, Bytes(1), Bytes(2), false).find("other programs"), std::string::npos);
  step.others = 0.38;
  EXPECT_NE(progress_line(step, Bytes(1), Bytes(2), false).find("other programs used 38 % of the processors"),
            std::string::npos);
}

TEST(BusyMachine, ThePredictionIsOfAQuietMachine) {
  const std::string text = result_text(probed_outlook(), result_beside(0.38));
  EXPECT_NE(text.find("Other programs used 38 % of the processors: the planned times are those of a machine that is "
                      "otherwise idle."),
            std::string::npos)
      << text;
  const auto rows = planned_against_measured(probed_outlook(), result_beside(0.38));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back().measured, "38 %");
  EXPECT_EQ(json_of(probed_outlook(), result_beside(0.38))["others_share"], 0.38);
}

TEST(BusyMachine, WithoutAPredictionThereIsNothingToExcuse) {
  const std::string text = result_text({}, result_beside(0.38));
  EXPECT_NE(text.find("Other programs used 38 % of the processors.\n"), std::string::npos) << text;
}

TEST(BusyMachine, OnAQuietOneNothingIsSaid) {
  const std::string text = result_text(probed_outlook(), result_beside(0.01));
  EXPECT_EQ(text.find("ther programs"), std::string::npos) << text;
  EXPECT_EQ(json_of(probed_outlook(), result_beside(0.01))["others_share"], 0.01);
}

}  // namespace
}  // namespace plimsoll
