#include "model/ir/attributes.h"

namespace plimsoll {
namespace {

template <class T>
T get(const Attribute* attribute, T fallback) {
  const T* value = attribute ? std::get_if<T>(attribute) : nullptr;
  return value ? *value : fallback;
}

}  // namespace

void Attributes::set(std::string name, Attribute value) {
  if (entries_ && entries_.use_count() == 1) {
    // Another thread may just have given up its copy. Giving up one more comes after that; use_count() alone does not.
    const auto one_more = entries_;
  } else {
    entries_ = entries_ ? std::make_shared<Entries>(*entries_) : std::make_shared<Entries>();
  }
  for (auto& [existing, old] : *entries_)
    if (existing == name) {
      old = std::move(value);
      return;
    }
  entries_->emplace_back(std::move(name), std::move(value));
}

const Attribute* Attributes::find(std::string_view name) const {
  for (const auto& [existing, value] : *this)
    if (existing == name) return &value;
  return nullptr;
}

int64_t Attributes::integer(std::string_view name, int64_t fallback) const { return get(find(name), fallback); }

double Attributes::number(std::string_view name, double fallback) const {
  const Attribute* attribute = find(name);
  if (const auto* integer = attribute ? std::get_if<int64_t>(attribute) : nullptr) return double(*integer);
  return get(attribute, fallback);
}

std::string Attributes::text(std::string_view name, std::string_view fallback) const {
  return get(find(name), std::string(fallback));
}

std::vector<int64_t> Attributes::integers(std::string_view name, std::vector<int64_t> fallback) const {
  return get(find(name), std::move(fallback));
}

std::vector<double> Attributes::numbers(std::string_view name) const { return get(find(name), std::vector<double>{}); }

TensorPtr Attributes::tensor(std::string_view name) const { return get(find(name), TensorPtr{}); }

std::shared_ptr<const Graph> Attributes::graph(std::string_view name) const {
  return get(find(name), std::shared_ptr<const Graph>{});
}

}  // namespace plimsoll
