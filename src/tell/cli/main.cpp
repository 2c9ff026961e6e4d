// The command line's door: finds the verb, runs it, and maps its result to an exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <new>

#include "base/text.h"
#include "tell/cli/command.h"
#include "tell/cli/tell_error.h"
#include "tell/cli/tried_flags.h"

namespace plimsoll {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done, or it fits · 1 does not fit · 2 a mistake in flags or files · 3 a bug of ours ·\n"
    "4 the machine failed. 'plimsoll VERB --help' has an example for each verb.";

// What CLI11 says of values, in words of ours.
std::string plain(const CLI::ParseError& error, const CLI::App& verb) {
  std::string what = error.what();
  const std::string flag = what.substr(0, what.find(':'));
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (kind == CLI::ExitCodes::ExtrasError)
    return fmt::format("{} is one more than expected", plimsoll::in_quotes(verb.remaining().at(0)));
  const CLI::Option* option = kind == CLI::ExitCodes::ArgumentMismatch ? verb.get_option_no_throw(flag) : nullptr;
  if (!option) return what;
  if (what.find("received") != std::string::npos) return flag + " is given more than once";
  return fmt::format("{} has no value, expected {}", flag, option->get_type_name());
}

// CLI11 speaks in exceptions; here they become the same one line as every other mistake.
Error parse_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* verb = app.get_subcommands().empty() ? nullptr : app.get_subcommands()[0];
  while (verb && !verb->get_subcommands().empty()) verb = verb->get_subcommands()[0];  // devices calibrate
  std::vector<std::string> known;
  std::string hint = verb ? fmt::format("see plimsoll {} --help", verb->get_name()) : "see plimsoll --help";
  if (!verb) {
    for (const auto& command : all_commands()) known.emplace_back(command.name);
    if (words.empty())
      return user_error("no verb is given, expected one of " + fmt::format("{}", fmt::join(known, ", ")), hint);
    const std::string guess = did_you_mean(words[0], known);
    return user_error(
        fmt::format("{} is not a verb, expected one of {}", plimsoll::in_quotes(words[0]), fmt::join(known, ", ")),
        guess.empty() ? hint : guess);
  }
  for (const auto* option : verb->get_options())
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  for (const auto& word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--") || std::find(known.begin(), known.end(), flag) != known.end()) continue;
    const std::string guess = meant_by_flag(flag, known);
    return user_error(fmt::format("{} has no flag {}", verb->get_name(), plimsoll::in_quotes(flag)),
                      guess.empty() ? hint : guess);
  }
  return user_error(plain(error, *verb), hint).in(verb->get_name());
}

int run(int argc, char** argv) {
  CLI::App app(
      "Will it fit, how fast, what will it cost? Plimsoll weighs deep networks, says how far a machine may be "
      "loaded\nwith them, which machine to take, and trains them in the memory that it planned.",
      "plimsoll");
  app.require_subcommand(1);
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("plimsoll ") + PLIM_VERSION);
  std::vector<std::string> words(argv + 1, argv + argc);
  std::replace(words.begin(), words.end(), std::string("-np"), std::string("--np"));  // CLI11 would read -n p
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  Action chosen;
  for (const auto& command : all_commands()) {
    CLI::App* verb = app.add_subcommand(std::string(command.name), std::string(command.summary));
    if (words.empty() || words[0] != command.name) continue;  // its flags are nobody's business
    Action action = command.declare(*verb);
    words = as_meant(words, *verb);
    verb->callback([&chosen, action] { chosen = action; });
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it takes them from the back
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return tell_error(parse_error(error, app, words), json);
  }
  const auto result = chosen();
  if (!result.ok()) return tell_error(result.error(), json);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return tell_error(environment_error("standard output could not be written", "is the disk full?"), false);
  return *result;
}

// A file that is opened later must not get the number of a stream that the caller closed, and our words with it.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
}

}  // namespace

}  // namespace plimsoll

int main(int argc, char** argv) {
  plimsoll::fill_closed_streams();
  try {
    return plimsoll::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("plimsoll: out of memory (is the model or the batch far larger than this machine?)\n", stderr);
    return plimsoll::kExitEnvironment;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plimsoll: a bug of ours: %s. Please report it.\n", error.what());
    return plimsoll::kExitBug;
  }
}
