// plimsoll devices: which machines are known by name, and what is known of each?
#include <cstdio>

#include "plan/devices/all_devices.h"
#include "tell/cli/command.h"
#include "tell/report/device_report.h"

namespace plimsoll {
namespace {

struct DevicesFlags {
  std::string name, kind;
  bool json = false, csv = false, markdown = false;
};

Result<std::vector<Device>> chosen(const DevicesFlags& flags) {
  if (!flags.name.empty()) {
    PLIM_ASSIGN(Device device, load_device(flags.name));
    return std::vector<Device>{std::move(device)};
  }
  PLIM_ASSIGN(auto devices, all_devices());
  if (flags.kind.empty()) return devices;
  std::erase_if(devices, [&](const Device& device) { return name_of(device.kind) != flags.kind; });
  if (devices.empty()) return user_error("--kind is '" + flags.kind + "', expected gpu, cpu, node or instance");
  return devices;
}

Result<int> run_devices(const DevicesFlags& flags) {
  PLIM_ASSIGN(const auto devices, chosen(flags));
  const bool one = !flags.name.empty();
  std::string text;
  if (flags.json) {
    Json list = Json::array();
    for (const auto& device : devices) list.push_back(device_json(device, one));
    text = json_text({{"schema", "plimsoll.devices/1"}, {"devices", list}});
  } else {
    Table table = figures_table(devices[0]);
    if (!one) {
      PLIM_ASSIGN(table, devices_table(devices));
    }
    const bool heading = one && !flags.csv && !flags.markdown;
    text = (heading ? device_heading(devices[0]) + "\n" : "") + (flags.csv        ? table.csv()
                                                                 : flags.markdown ? table.markdown()
                                                                                  : table.text());
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return int(kExitDone);
}

}  // namespace

Action declare_devices(CLI::App& app) {
  const auto flags = std::make_shared<DevicesFlags>();
  app.description(
      "The devices known by name: memory, speed and price; with NAME every figure of one, and where it is from.\n"
      "Memory, bandwidth and peaks of a node or an instance are those of each of its GPUs.");
  app.footer(
      "Example:\n  plimsoll devices nvidia-t4\n  plimsoll devices --kind instance --json\n  plimsoll devices "
      "./mine.json"
      "\nExit codes: 0 listed, 2 a mistake in the flags, the name or the file.");
  app.add_option("NAME", flags->name, "one device, or the path of a device file of your own (.json)");
  app.add_option("--kind", flags->kind, "gpu, cpu, node or instance: only these");
  const auto json = app.add_flag("--json", flags->json, "one JSON document: bytes, bytes/s, hertz, operations/s");
  const auto csv = app.add_flag("--csv", flags->csv, "comma-separated values");
  json->excludes(csv, app.add_flag("--markdown", flags->markdown, "a Markdown table")->excludes(csv));
  return [flags] { return run_devices(*flags); };
}

}  // namespace plimsoll
