// The live line of a training run on stderr: a bar that is redrawn on a terminal, one line now and then elsewhere. Of
// several workers rank 0 sends it to the process that started them.
#pragma once

#include <chrono>
#include <string>

#include "run/train/trainer.h"
#include "tell/cli/terminal_line.h"

namespace plimsoll {

class Progress : public TrainingWatcher {
 public:
  // `line`: how much memory may be used; `pace`: what a second's samples are called, "images/s".
  Progress(bool quiet, Bytes line, std::string pace);
  ~Progress() override;

  void step_done(const StepSeen& step) override;
  void evaluation_begins() override;
  void epoch_done(const EpochReport& epoch) override;
  void message(const std::string& sentence) override;

 private:
  void draw(const std::string& text);
  void clear();

  bool quiet_;
  bool sends_;  // to the process that started the workers, which draws
  bool terminal_;
  Bytes line_;
  std::string pace_;
  int64_t epochs_ = 0;
  TerminalLine terminal_line_;
  bool drawn_ = false;  // something stands there
  std::chrono::steady_clock::time_point shown_;
};

// "epoch 2/3  [█████     ]  312/421  loss 0.3121  accuracy 88.9 %  5,120 images/s  left 12 s  142 MiB of 6.2 GiB"
std::string progress_line(const StepSeen& step, Bytes resident, Bytes line, bool with_bar,
                          const std::string& pace = "images/s");

std::string epoch_line(const EpochReport& epoch, int64_t epochs, const std::string& pace = "images/s");

}  // namespace plimsoll
