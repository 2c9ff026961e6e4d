#include "tell/cli/page_questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/this_device.h"
#include "tell/cli/fit.h"
#include "tell/cli/page_choices.h"
#include "tell/cli/place.h"
#include "tell/cli/scale.h"
#include "tell/cli/weigh.h"

namespace plimsoll {
namespace {

// The same reader of flags as on the command line.
template <class Flags>
Result<Flags> read_words(const std::vector<std::string>& words) {
  CLI::App app;
  Flags flags;
  flags.declare(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return user_error(error.what());
  }
  return flags;
}

Status check_device(const std::string& name) {
  if (name == kThisDevice) return {};
  std::vector<std::string> names;
  for (const auto& file : all_device_files()) {
    if (file.name == name) return {};
    names.emplace_back(file.name);
  }
  return user_error(fmt::format("{} is not a device of the catalog", in_quotes(name)), did_you_mean(name, names));
}

Result<Json> answer_weigh(const std::vector<std::string>& words, NetworkShelf& shelf) {
  PLIM_ASSIGN(const WeighFlags flags, read_words<WeighFlags>(words));
  PLIM_ASSIGN(const WeighView view, weigh_view(flags));
  PLIM_ASSIGN(const Network* network, shelf.find(flags.models.front(), flags.model));
  PLIM_ASSIGN(Weight weight, weight_of(flags, *network));
  weight.model = flags.models.front();
  return weigh_document(weight, view);
}

Result<Json> answer_fit(const std::vector<std::string>& words, NetworkShelf& shelf) {
  PLIM_ASSIGN(const FitFlags flags, read_words<FitFlags>(words));
  PLIM_TRY(check_device(flags.device));
  PLIM_ASSIGN(const Network* network, shelf.find(flags.model, flags.network));
  PLIM_ASSIGN(const FitOutcome outcome, fit_outcome(flags, *network));
  return outcome.json();
}

Result<Json> answer_place(const std::vector<std::string>& words, NetworkShelf& shelf) {
  PLIM_ASSIGN(const PlaceFlags flags, read_words<PlaceFlags>(words));
  for (const auto& device : flags.devices) PLIM_TRY(check_device(device));
  PLIM_ASSIGN(const Network* network, shelf.find(flags.model, flags.network));
  PLIM_ASSIGN(const PlaceOutcome outcome, place_outcome(flags, *network));
  return place_json(outcome.job, outcome.ranked, outcome.verdict, outcome.view);
}

Result<Json> answer_scale(const std::vector<std::string>& words, NetworkShelf& shelf) {
  PLIM_ASSIGN(const ScaleFlags flags, read_words<ScaleFlags>(words));
  PLIM_TRY(check_device(flags.device));
  PLIM_ASSIGN(const Network* network, shelf.find(flags.model, flags.network));
  PLIM_ASSIGN(const ScaleOutcome outcome, scale_outcome(flags, *network));
  return scale_json(*outcome.scaling, outcome.forecast, outcome.view);
}

// What was uploaded: sizes that it leaves open are asked for; one that leaves none must do without them.
Result<Json> answer_network(const std::vector<std::string>& words, NetworkShelf& shelf) {
  constexpr size_t kMostSizes = 32;
  PLIM_ASSIGN(const Network* network, shelf.find(words.front(), {}));
  const auto& open = network->open_sizes();
  if (open.size() > kMostSizes)
    return user_error(fmt::format("the network leaves {} sizes open, expected at most {}", open.size(), kMostSizes),
                      "ask on the command line, with --dim");
  if (open.empty()) PLIM_TRY(network->forward(std::nullopt, {}));
  return Json{{"schema", "plimsoll.network/1"}, {"model", words.front()}, {"open_sizes", open}};
}

Result<Json> answer_choices(const std::vector<std::string>&, NetworkShelf&) { return page_choices(); }

// One flag, or one for each entry of a list. Everything is text, as on the command line.
Status add_words(const std::string& name, const Json& value, std::vector<std::string>& words) {
  if (value.is_array()) {
    for (const auto& entry : value) {
      if (entry.is_array()) return user_error(fmt::format("{} is a list in a list", in_quotes(name)));
      PLIM_TRY(add_words(name, entry, words));
    }
    return {};
  }
  if (!value.is_string()) return user_error(fmt::format("{} is not text", in_quotes(name)), "numbers as text too");
  const auto& text = value.get_ref<const std::string&>();
  if (text.empty()) return {};
  if (name == "model") words.insert(words.begin(), text);  // behind a flag it might be taken for one more of its values
  else words.push_back(fmt::format("--{}={}", name, text));
  return {};
}

}  // namespace

std::span<const PageQuestion> all_page_questions() {
  static const std::vector<PageQuestion> kQuestions{
      {"choices", {}, answer_choices},
      {"network", {"model"}, answer_network},
      {"weigh",
       {"model", "batch", "dtype", "mode", "optimizer", "sort", "top", "input", "classes", "dim"},
       answer_weigh},
      {"fit",
       {"model", "device", "batch", "dtype", "mode", "optimizer", "recompute", "micro-batches", "framework",
        "load-line", "input", "classes", "dim", "brief"},
       answer_fit},
      {"place",
       {"model", "device", "batch", "dtype", "mode", "optimizer", "recompute", "micro-batches", "framework",
        "load-line", "samples", "epochs", "by", "price", "input", "classes", "dim"},
       answer_place},
      {"scale",
       {"model", "device", "batch", "dtype", "optimizer", "recompute", "micro-batches", "framework", "load-line",
        "samples", "epochs", "price", "workers", "link", "critical-batch", "input", "classes", "dim"},
       answer_scale},
  };
  return kQuestions;
}

Result<Json> answer_page(const Json& asked, NetworkShelf& shelf) {
  const auto verb = asked.find("verb"), flags = asked.find("flags");
  if (verb == asked.end() || flags == asked.end() || !flags->is_object())
    return user_error("the question has no verb or no flags");
  for (const auto& question : all_page_questions()) {
    if (*verb != question.verb) continue;
    std::vector<std::string> words;
    for (const auto& [name, value] : flags->items()) {
      if (std::find(question.flags.begin(), question.flags.end(), name) == question.flags.end())
        return user_error(fmt::format("{} takes no {} from the page", question.verb, in_quotes(name)),
                          fmt::format("it takes {}", fmt::join(question.flags, ", ")));
      PLIM_TRY(add_words(name, value, words));
    }
    const auto model = flags->find("model");
    if (!question.flags.empty() && (model == flags->end() || !model->is_string() || (*model == "") ||
                                    model->get_ref<const std::string&>().starts_with('-')))
      return user_error("no network is named", "for example \"model\": \"resnet50\"");
    auto answer = question.answer(words, shelf);
    if (!answer.ok()) return shelf.without_path(std::move(answer).error());
    return answer;
  }
  return user_error("the page cannot ask this");
}

}  // namespace plimsoll
