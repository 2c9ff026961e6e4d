#include "run/measure/probe_request.h"

#include <filesystem>

#include "base/rows/named.h"
#include "base/write_file.h"
#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "run/exec/device_here.h"
#include "run/exec/device_row.h"

namespace plimsoll {
namespace {

struct Place {
  std::string path, folder;
};

// A place of ours is made; one that the user names must be there.
Result<Place> place_to_keep(const ProbeRequest& request) {
  const bool usual = !request.out || request.out->empty();
  const std::string usual_path = request.device.by_torch() ? device_probe_path(request.device) : probe_path();
  const std::string path = usual ? usual_path : *request.out;
  if (path.empty())
    return user_error("there is no home folder to keep the probe in",
                      fmt::format("say where with {} FILE", named("out")));
  PLIM_TRY(check_can_replace(path));
  const auto parent = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (usual && !parent.empty()) std::filesystem::create_directories(parent, error);
  if (error)
    return environment_error("cannot be created: " + error.message(),
                             fmt::format("choose another place with {} FILE", named("out")))
        .in(printable(parent.string(), 200));
  return Place{path, parent.empty() ? "." : parent.string()};
}

std::string device_name(const ProbeRequest& request, const std::string& path) {
  if (request.out.value_or("").empty())
    return request.device.by_torch() ? request.device.name() : std::string(kThisDevice);
  const bool plain = path.find('/') == std::string::npos;  // a bare name would be looked up in the catalog
  return (plain ? "./" : "") + printable(path);
}

}  // namespace

void ProbeRequest::describe(Fields& fields) {
  Row where = device_row();
  where.help = "what is measured: cpu (this machine), or through PyTorch cuda:N (an NVIDIA GPU) or torch:cpu";
  fields.add(device, where);
  fields.add(
      quick,
      {.name = "quick", .subject = Subject::job, .help = "take about five seconds: fewer repetitions, a coarser grid"});
  fields.add(out, {.name = "out",
                   .subject = Subject::output,
                   .help = "keep the result in this file",
                   .value = "FILE",
                   .fallback = "where later calls look for it"});
}

Result<ProbeOutcome> ask_probe(const ProbeRequest& request, std::function<void(std::string_view)> progress) {
  PLIM_ASSIGN(const Place place, place_to_keep(request));
  const ProbeOptions options{.quick = request.quick, .folder = place.folder, .progress = std::move(progress)};
  PLIM_ASSIGN(Probe probe, probe_this_machine(options));
  PLIM_TRY(write_whole_file(place.path, write_device(probe_device(probe))));
  return ProbeOutcome{std::move(probe), place.path, device_name(request, place.path)};
}

Result<DeviceProbeOutcome> ask_device_probe(const ProbeRequest& request, const ProbeProgress& progress) {
  PLIM_ASSIGN(const Place place, place_to_keep(request));
  PLIM_ASSIGN(DeviceProbe probe, measure_device(request.device, request.quick, progress));
  PLIM_TRY(write_whole_file(place.path, write_device(probed_device(probe))));
  return DeviceProbeOutcome{std::move(probe), place.path, device_name(request, place.path)};
}

std::vector<std::string> all_notes(const Probe& probe) {
  auto notes = probe.machine.limits();
  notes.insert(notes.end(), probe.notes.begin(), probe.notes.end());
  return notes;
}

}  // namespace plimsoll
