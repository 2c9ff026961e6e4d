#include "tell/cli/command.h"

namespace plimsoll {

Action declare_weigh(CLI::App& app);
Action declare_fit(CLI::App& app);
Action declare_place(CLI::App& app);
Action declare_scale(CLI::App& app);
Action declare_models(CLI::App& app);
Action declare_devices(CLI::App& app);
Action declare_probe(CLI::App& app);
Action declare_bench(CLI::App& app);
Action declare_data(CLI::App& app);
Action declare_train(CLI::App& app);
Action declare_eval(CLI::App& app);
Action declare_export(CLI::App& app);
Action declare_predict(CLI::App& app);
Action declare_sharpness(CLI::App& app);
Action declare_sweep(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_serve(CLI::App& app);

std::span<const Command> all_commands() {
  static constexpr Command kCommands[] = {
      // before a run
      {"weigh", declare_weigh},
      {"fit", declare_fit},
      {"place", declare_place},
      {"scale", declare_scale},
      // what is known, and what is here
      {"models", declare_models},
      {"devices", declare_devices},
      {"probe", declare_probe},
      {"bench", declare_bench},
      {"data", declare_data},
      // a run, and what comes of it
      {"train", declare_train},
      {"eval", declare_eval},
      {"export", declare_export},
      {"predict", declare_predict},
      {"sweep", declare_sweep},
      {"sharpness", declare_sharpness},
      {"report", declare_report},
      {"serve", declare_serve},
  };
  return kCommands;
}

}  // namespace plimsoll
