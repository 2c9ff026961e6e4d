#include "plan/verdict/fit.h"

#include <fmt/format.h>

#include <future>

#include "plan/verdict/alternatives.h"
#include "plan/verdict/framework_load.h"
#include "plan/verdict/load_line.h"

namespace plimsoll {
namespace {

constexpr size_t kMostReads = 60'000;  // by the operations of a step whose alternatives are looked for

class Fitting {
 public:
  explicit Fitting(const FitQuestion& question)
      : question_(question), line_(bytes_under_line(question.memory, question.load_line)) {}

  Result<FitAnswer> answer() {
    answer_.line = line_;
    answer_.asked = question_.batch.has_value();
    PLIM_ASSIGN(FrameworkLoad load, FrameworkLoad::make(question_));
    PLIM_ASSIGN(answer_.uncounted, question_.network->uncounted());
    if (load.only_batch() && question_.batch.value_or(*load.only_batch()) != *load.only_batch())
      return load.why_no_other();
    const Room room = load.room(device(), line_);
    if (trains() && question_.batch) PLIM_TRY(begin_evaluation(*question_.batch));  // planned beside the rest
    PLIM_ASSIGN(answer_.largest, load.largest_under(room));
    const int64_t shown = question_.batch.value_or(load.only_batch().value_or(std::max<int64_t>(answer_.largest, 1)));
    PLIM_ASSIGN(answer_.load, load.at(shown, room));
    if (answer_.load.peak.expected.overflowed())
      return user_error("the memory is more than a 64-bit count holds (overflow)", "is the batch right?");
    answer_.fits = answer_.load.needed <= line_;
    if (answer_.largest > 0 && answer_.largest < kMostSamples && !load.only_batch()) {
      PLIM_ASSIGN(const Bytes next, load.expected_at(answer_.largest + 1, room));
      answer_.next_peak = next;
    }
    if (!answer_.fits) PLIM_TRY(explain_shortfall(load, room));
    answer_.smallest_memory = smallest_memory(answer_.load.needed, question_.load_line);
    if (!answer_.uncounted.lower_bound()) answer_.notes = load.notes();  // no accuracy is known of a part
    load.let_go();
    if (trains() && !evaluation_.valid()) PLIM_TRY(begin_evaluation(shown));
    answer_.evaluation_peak = answer_.load.peak.expected;
    if (trains()) {
      PLIM_ASSIGN(answer_.evaluation_peak, evaluation_.get());
    }
    if (load.only_batch())
      answer_.notes.push_back(
          fmt::format("The file was exported for batch {}; export it with a dynamic batch axis to ask about others.",
                      *load.only_batch()));
    add_notes_of_the_file();
    if (question_.alternatives) add_alternatives(load.reads());
    return std::move(answer_);
  }

 private:
  bool trains() const { return question_.step.optimizer != nullptr; }
  const Device* device() const { return question_.device ? &*question_.device : nullptr; }

  // What the importer found out: norms that it put back, weights that are tied, files that are missing.
  void add_notes_of_the_file() {
    const auto forward = question_.network->forward(std::nullopt, question_.format);
    if (!forward.ok()) return;
    for (const std::string& note : forward->notes) answer_.notes.push_back("Of the file: " + note + ".");
  }

  Status explain_shortfall(FrameworkLoad& load, const Room& room) {
    answer_.shortfall = answer_.load.needed - line_;
    PLIM_ASSIGN(answer_.breaking_tensor, load.first_over(answer_.load.batch, room));
    return {};
  }

  // Each alternative is a step of its own at several batches. For a very large one that takes longer than anybody
  // waits.
  void add_alternatives(size_t reads) {
    if (reads <= kMostReads) answer_.alternatives = alternatives(question_, answer_);
    else
      answer_.notes.push_back(
          fmt::format("Suggestions were left out: the operations of a step read {} tensors, the limit is {}.",
                      with_commas(int64_t(reads)), with_commas(int64_t(kMostReads))));
  }

  // Training evaluates between epochs: the same batch, forward only. That plan shares nothing with the one of training,
  // so where a thread is to be had it is made in one of its own.
  Status begin_evaluation(int64_t batch) {
    FitQuestion evaluation = question_;
    evaluation.step.optimizer = nullptr;
    PLIM_ASSIGN(FrameworkLoad load, FrameworkLoad::make(evaluation));
    const Room room = load.room(device(), line_);
    evaluation_ = std::async([load = std::move(load), batch, room]() mutable { return load.expected_at(batch, room); });
    return {};
  }

  const FitQuestion& question_;
  const Bytes line_;
  FitAnswer answer_;
  std::future<Result<Bytes>> evaluation_;
};

}  // namespace

std::vector<Bytes> MemoryTimeline::sums() const {
  std::vector<Bytes> all;
  for (size_t i = 0; i < tensors.size(); ++i) all.push_back(at(i));
  return all;
}

Result<FitAnswer> fit(const FitQuestion& question) { return Fitting(question).answer(); }

Result<bool> is_under_line(const FitQuestion& question) {
  PLIM_ASSIGN(FrameworkLoad load, FrameworkLoad::make(question));
  const Room room =
      load.room(question.device ? &*question.device : nullptr, bytes_under_line(question.memory, question.load_line));
  return load.carries(question.batch.value_or(1), room);
}

}  // namespace plimsoll
