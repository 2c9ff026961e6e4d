#include "tell/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "base/text.h"
#include "run/train/start_workers.h"
#include "tell/cli/print_aside.h"
#include "tell/cli/sent_drawings.h"

namespace plimsoll {
namespace {

constexpr double kRedraw = 0.1, kLineEvery = 10;  // seconds
constexpr int kBar = 20;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string bar(double share) {
  constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = int(std::lround(std::clamp(share, 0.0, 1.0) * kBar * 8));
  std::string text = "[";
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  text.append(size_t(kBar - (eighths + 7) / 8), ' ');
  return text + "]";
}

constexpr const char* kTokenPace = "tokens/s";

std::string perplexity_text(double loss) { return fmt::format("perplexity {:.2f}", perplexity(loss)); }

std::string language_epoch_line(const EpochReport& epoch, int64_t epochs) {
  std::string text = fmt::format("epoch {}/{}  loss {:.4f}  {}", epoch.epoch, epochs, epoch.train_loss,
                                 perplexity_text(epoch.train_loss));
  if (epoch.val_loss)
    text += fmt::format("  validation loss {:.4f}  {}", *epoch.val_loss, perplexity_text(*epoch.val_loss));
  text += fmt::format("  {}  {} {}", human_time(epoch.seconds), with_commas(std::llround(*epoch.tokens_per_second)),
                      kTokenPace);
  if (!epoch.complete) text += fmt::format("  (cut short after {} steps)", epoch.steps);
  return text;
}

}  // namespace

std::string progress_line(const StepSeen& step, Bytes resident, Bytes line, bool with_bar, const std::string& pace) {
  const TrainingState& state = *step.state;
  const double share = double(state.batch) / double(std::max<int64_t>(step.steps_per_epoch, 1));
  const bool language = step.tokens > 0;
  const std::string quality = language ? perplexity_text(state.running.loss())
                                       : fmt::format("accuracy {:.1f} %", 100 * state.running.accuracy());
  const double rate = step.images_per_second * double(std::max<int64_t>(step.tokens, 1));
  std::string text =
      fmt::format("epoch {}/{}  {}{}/{}  loss {:.4f}  {}  {} {}  left {}  {} of {}", state.epoch + 1, step.epochs,
                  with_bar ? bar(share) + "  " : "step ", state.batch, step.steps_per_epoch, state.running.loss(),
                  quality, with_commas(std::llround(rate)), language ? kTokenPace : pace, human_time(step.left),
                  human_bytes(resident), human_bytes(line));
  if (step.others >= kNoticedShare)
    text += fmt::format("  other programs used {:.0f} % of the processors", 100 * step.others);
  return text;
}

std::string epoch_line(const EpochReport& epoch, int64_t epochs, const std::string& pace) {
  if (epoch.language()) return language_epoch_line(epoch, epochs);
  std::string text = fmt::format("epoch {}/{}  loss {:.4f}  accuracy {:.2f} %", epoch.epoch, epochs, epoch.train_loss,
                                 100 * epoch.train_accuracy);
  if (epoch.val_loss)
    text += fmt::format("  validation loss {:.4f}  accuracy {:.2f} %", *epoch.val_loss, 100 * *epoch.val_accuracy);
  text +=
      fmt::format("  {}  {} {}", human_time(epoch.seconds), with_commas(std::llround(epoch.images_per_second)), pace);
  if (!epoch.complete) text += fmt::format("  (cut short after {} steps)", epoch.steps);
  return text;
}

Progress::Progress(bool quiet, Bytes line, std::string pace)
    : quiet_(quiet),
      sends_(is_shown_on_terminal()),
      terminal_(sends_ || TerminalLine::is_there()),
      line_(line),
      pace_(std::move(pace)) {}
Progress::~Progress() { clear(); }

void Progress::draw(const std::string& text) {
  drawn_ = true;
  if (!sends_) return terminal_line_.draw(text);
  print_aside("{}", sent_drawing(text));
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  drawn_ = false;
  if (!sends_) return terminal_line_.clear();
  print_aside("{}", sent_drawing(""));
  std::fflush(stderr);
}

void Progress::step_done(const StepSeen& step) {
  epochs_ = step.epochs;
  const bool last = step.state->batch == step.steps_per_epoch;
  if (quiet_ || (seconds_since(shown_) < (terminal_ ? kRedraw : kLineEvery) && !(terminal_ && last))) return;
  const bool first = shown_ == std::chrono::steady_clock::time_point();
  shown_ = std::chrono::steady_clock::now();
  if (terminal_) draw(progress_line(step, resident_now(), line_, true, pace_));
  else if (!first) print_aside("{}\n", progress_line(step, resident_now(), line_, false, pace_));
}

void Progress::evaluation_begins() {
  if (!quiet_ && terminal_) draw("evaluating …");
}

void Progress::epoch_done(const EpochReport& epoch) {
  if (quiet_) return;
  clear();
  print_aside("{}\n", epoch_line(epoch, std::max(epochs_, epoch.epoch), pace_));
}

void Progress::message(const std::string& sentence) {
  clear();
  print_aside("plimsoll: {}\n", printable(spoken(sentence, Door::command_line)));
}

}  // namespace plimsoll
