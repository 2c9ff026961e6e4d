#include "model/ir/work_limit.h"

namespace plimsoll {
namespace {

thread_local WorkLimit* limit_in_force = nullptr;

}  // namespace

WorkLimit::WorkLimit(int64_t units) : left_(units), outer_(limit_in_force) { limit_in_force = this; }

WorkLimit::~WorkLimit() { limit_in_force = outer_; }

bool may_work(Count units) {
  if (!limit_in_force) return true;
  if (units > Count(limit_in_force->left_)) return false;
  limit_in_force->left_ -= units.value();
  return true;
}

}  // namespace plimsoll
