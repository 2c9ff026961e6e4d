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
      {"weigh", "what a network weighs: parameters, operations and memory, layer by layer", declare_weigh},
      {"fit", "does it fit this memory, with which batch, and what would carry more", declare_fit},
      {"place", "which device to take: time and money on each, and a verdict", declare_place},
      {"scale", "how many devices to take: speed, efficiency, accuracy, money", declare_scale},
      // what is known, and what is here
      {"models", "the networks that are known by name", declare_models},
      {"devices", "the devices that are known by name; calibrate one of your own", declare_devices},
      {"probe", "measure this machine, so that predictions are about it", declare_probe},
      {"bench", "measure a step here, beside what was planned and predicted", declare_bench},
      {"data", "look at a dataset, or obtain one that is known by name", declare_data},
      // a run, and what comes of it
      {"train", "train a network in the memory that was planned", declare_train},
      {"eval", "loss and accuracy of a trained network, class by class", declare_eval},
      {"export", "write a network as an .onnx file", declare_export},
      {"predict", "what a trained network says of pictures or text", declare_predict},
      {"sweep", "train with several batches, rates and seeds, and compare", declare_sweep},
      {"sharpness", "is the minimum that a run found sharp or flat", declare_sharpness},
      {"report", "one HTML file about networks or runs, to show a colleague", declare_report},
      {"serve", "the page: memory, time and money as you move the slider", declare_serve},
  };
  return kCommands;
}

}  // namespace plimsoll
