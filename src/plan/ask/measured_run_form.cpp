#include "plan/ask/measured_run_form.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr const char* kExample = "for example resnet50:64:amp=123ms or vit_b_16:256:amp:inference=210ms";

Status take_word(const std::string& called, const std::string& word, WrittenRun& run) {
  if (word == "train" || word == "inference") {
    run.mode = word == "train" ? Mode::train : Mode::inference;
    return {};
  }
  if (word == "nchw" || word == "nhwc") {
    run.run.layout = word == "nhwc" ? ImageLayout::nhwc : ImageLayout::nchw;
    return {};
  }
  if (word == "compile") {
    run.run.compile = true;
    return {};
  }
  constexpr std::string_view kTokens = "tokens";
  if (word.ends_with(kTokens)) {
    PLIM_ASSIGN(run.model.sequence,
                parse_integer(called + " tokens", word.substr(0, word.size() - kTokens.size()), 1, kLargestBatch));
    return {};
  }
  const auto format = number_format(word);
  if (!format.ok())
    return user_error(fmt::format("{} has {}, expected a number format, train, inference, nhwc, compile or Ntokens",
                                  called, in_quotes(word)),
                      kExample);
  run.model.dtype = *format;
  return {};
}

}  // namespace

Result<WrittenRun> Form<WrittenRun>::parse(const Row&, const std::string& called, const std::string& text) {
  const size_t equals = text.rfind('=');
  const auto words = split(text.substr(0, equals), ':');
  if (equals == std::string::npos || words.size() < 2 || words[0].empty())
    return user_error(
        fmt::format("{} is {}, expected NETWORK:BATCH[:FORMAT][:inference]=TIME", called, in_quotes(text)), kExample);
  WrittenRun run;
  run.text = text;
  run.model.source.name = words[0];
  PLIM_ASSIGN(run.batch, parse_integer(called + " batch", words[1], 1, kLargestBatch));
  for (size_t i = 2; i < words.size(); ++i) PLIM_TRY(take_word(called, words[i], run));
  PLIM_ASSIGN(run.step, parse_time(called + " time", text.substr(equals + 1)));
  if (!(run.step.value > 0))
    return user_error(fmt::format("{} is {}, expected a time above 0", called, in_quotes(text)), kExample);
  return run;
}

}  // namespace plimsoll
