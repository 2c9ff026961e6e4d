// The command line under arbitrary bytes: the first byte says which verb, each line is a word. They are read and not
// run. The request of train is read as a run would, as well.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>

#include "one_line.h"
#include "run/train/kept_request.h"
#include "tell/cli/command.h"
#include "tell/cli/request_flags.h"

namespace {

using namespace plimsoll;

// False: they are refused, which CLI11 says with an exception.
bool parse_words(CLI::App& app, std::string_view text) {
  std::vector<std::string> words;
  for (size_t end = 0; !text.empty(); text.remove_prefix(std::min(text.size(), end + 1))) {
    end = std::min(text.find('\n'), text.size());
    words.insert(words.begin(), std::string(text.substr(0, end)));
  }
  try {
    app.parse(words);  // it takes them from the back
    return true;
  } catch (const CLI::ParseError&) {
    return false;
  }
}

void read_train_request(std::string_view text) {
  TrainRequest request;
  CLI::App app;
  RequestFlags flags(app, fields_of(request));
  if (!parse_words(app, text) || !accepted(flags.read())) return;
  TrainerSetup setup;
  request.fill(setup);
  accepted(request.step_options());
  accepted(request.made_schedule(7, 3));
  accepted(request.chosen_backend());
  request.batch_norm(2);
  request.wire_format();
  TrainRequest other;
  PLIM_CHECK(take_over(other, {}, kept_request(request)).ok(), "a run cannot go on with its own request");
  PLIM_CHECK(kept_request(other) == kept_request(request), "a run keeps another request than it was started with");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto commands = all_commands();
  const size_t chosen = data[0] % (commands.size() + 1);
  if (chosen == commands.size()) {
    read_train_request(text);
    return 0;
  }
  CLI::App app;
  const Action owner = commands[chosen].declare(app);  // of what the flags are read into
  parse_words(app, text);
  return 0;
}
