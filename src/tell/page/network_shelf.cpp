#include "tell/page/network_shelf.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/text.h"
#include "model/zoo/all_models.h"
#include "model/zoo/language_models.h"

namespace plimsoll {
namespace {

constexpr Bytes kLargeProcess(int64_t{700} << 20);

Bytes resident() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return Bytes(resident * sysconf(_SC_PAGESIZE));
}

bool is_known(const std::string& model) { return find_model(model) || find_language_model(model); }

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Result<std::string> NetworkShelf::source_of(const std::string& model) const {
  if (is_known(model)) return model;
  if (!uploaded_.empty()) return uploaded_;
  std::vector<std::string> names;
  for (const auto& zoo : all_models()) names.emplace_back(zoo.name);
  for (const auto& language : all_language_models()) names.emplace_back(language.name);
  return user_error(fmt::format("no network is called {}", in_quotes(model)), did_you_mean(model, names));
}

Result<std::shared_ptr<const Network>> NetworkShelf::find(const ModelRequest& request) {
  ModelRequest asked = request;
  const std::string key = write_request(asked, [](const Row& row) { return row.name != "dtype"; }).dump();
  if (const auto found = networks_.find(key); found != networks_.end()) return found->second;
  PLIM_ASSIGN(asked.source.name, source_of(request.source.name));
  PLIM_ASSIGN(Network network, load_network(asked));
  return networks_.emplace(key, std::make_shared<const Network>(std::move(network))).first->second;
}

Error NetworkShelf::without_path(Error error) const {
  if (uploaded_.empty()) return error;
  for (std::string* text : {&error.what, &error.where, &error.hint}) replace_all(*text, uploaded_, "the file");
  return error;
}

Json NetworkShelf::without_path(Json document, const std::string& name) const {
  if (uploaded_.empty()) return document;
  if (document.is_string()) {
    replace_all(document.get_ref<std::string&>(), uploaded_, name);
  } else if (document.is_structured()) {
    for (auto& each : document) each = without_path(std::move(each), name);
  }
  return document;
}

void NetworkShelf::tidy() {
  if (resident() > kLargeProcess) networks_.clear();
}

}  // namespace plimsoll
