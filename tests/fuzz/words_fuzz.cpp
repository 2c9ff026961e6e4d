// The command line under arbitrary bytes: the first byte says which verb, each line is a word. They are read and not
// run. The flags of train are read as numbers as well.
#include <cstddef>
#include <cstdint>

#include "one_line.h"
#include "tell/cli/command.h"
#include "tell/cli/train_flags.h"

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

void read_train_flags(std::string_view text) {
  TrainFlags flags;
  CLI::App app;
  flags.declare(app);
  if (!parse_words(app, text)) return;
  TrainerSetup setup;
  accepted(flags.read_trainer(setup));
  accepted(flags.read_step());
  accepted(flags.read_schedule(7, 3));
  accepted(flags.read_batch());
  accepted(flags.read_batch_norm(2));
  accepted(flags.read_np());
  accepted(flags.read_max_restarts());
  accepted(flags.read_silence());
  accepted(flags.read_wire());
  accepted(flags.read_load_line());
  accepted(flags.engine.read());
  accepted(flags.data.read_loaders());
  accepted(flags.data.read_bad_samples());
  TrainFlags other;
  PLIM_CHECK(other.take_over(flags.typed()).ok(), "a run cannot go on with its own flags");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto commands = all_commands();
  const size_t chosen = data[0] % (commands.size() + 1);
  if (chosen == commands.size()) {
    read_train_flags(text);
    return 0;
  }
  CLI::App app;
  const Action owner = commands[chosen].declare(app);  // of what the flags are read into
  parse_words(app, text);
  return 0;
}
