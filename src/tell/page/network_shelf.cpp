#include "tell/page/network_shelf.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/text.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

constexpr Bytes kLargeProcess(int64_t{700} << 20);

Bytes resident() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return Bytes(resident * sysconf(_SC_PAGESIZE));
}

}  // namespace

Result<std::shared_ptr<const Network>> NetworkShelf::find(const ModelRequest& request) {
  const std::string& model = request.source.name;
  ModelRequest asked = request;
  const std::string key = write_request(asked, [](const Row& row) { return row.name != "dtype"; }).dump();
  if (const auto found = networks_.find(key); found != networks_.end()) return found->second;
  const bool known = find_model(model) != nullptr;
  if (!known && uploaded_.empty()) {
    std::vector<std::string> names;
    for (const auto& zoo : all_models()) names.emplace_back(zoo.name);
    return user_error(fmt::format("{} is not in the zoo", in_quotes(model)), did_you_mean(model, names));
  }
  if (!known) asked.source.name = uploaded_;
  PLIM_ASSIGN(Network network, load_network(asked));
  return networks_.emplace(key, std::make_shared<const Network>(std::move(network))).first->second;
}

Error NetworkShelf::without_path(Error error) const {
  if (!uploaded_.empty() && error.where.starts_with(uploaded_)) error.where.replace(0, uploaded_.size(), "the file");
  return error;
}

void NetworkShelf::tidy() {
  if (resident() > kLargeProcess) networks_.clear();
}

}  // namespace plimsoll
