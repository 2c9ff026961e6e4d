#include "plan/verdict/fit_here.h"

#include "plan/devices/conv_methods.h"
#include "plan/verdict/direct_instead.h"
#include "plan/verdict/sample_time.h"

namespace plimsoll {
namespace {

bool fits(const FitAnswer& answer) { return answer.asked ? answer.fits : answer.largest > 0; }

// The question with the engine's lowering, which lives as long as this does.
struct LoweredQuestion {
  LoweredQuestion(FitQuestion asked, const EngineHere& engine, std::optional<int64_t> threads, ConvSetting conv)
      : lowering(engine.lowering(threads, conv)), question(std::move(asked)) {
    question.lowering = lowering.get();
    question.conv_methods = methods_of(conv);
  }

  std::unique_ptr<Lowering> lowering;
  FitQuestion question;
};

}  // namespace

Result<FitAnswer> fit_here(FitQuestion question, const EngineHere& engine, std::optional<int64_t> threads,
                           ConvSetting conv) {
  const LoweredQuestion fast(question, engine, threads, conv);
  PLIM_ASSIGN(FitAnswer fastest, fit(fast.question));
  if (fits(fastest) || conv != ConvSetting::automatic || !engine.has_conv_methods()) return fastest;
  LoweredQuestion direct(question, engine, threads, ConvSetting::direct);
  PLIM_ASSIGN(const bool carries, is_under_line(direct.question));
  if (!carries) return fastest;
  PLIM_ASSIGN(FitAnswer answer, fit(direct.question));
  if (!fits(answer)) return fastest;
  const int64_t batch = fastest.load.batch;  // the largest batch of direct ones may be another
  question.conv_methods = fast.question.conv_methods;
  const auto fast_time = sample_time(question, batch);
  question.conv_methods = direct.question.conv_methods;
  const auto slowdown = slowdown_of(sample_time(question, batch), fast_time);
  direct.question.batch = batch;
  PLIM_ASSIGN(const FitAnswer there, fit(direct.question));
  answer.notes.push_back(direct_instead_text(fastest.load.peak.expected, there.load.peak.expected, slowdown));
  return answer;
}

}  // namespace plimsoll
