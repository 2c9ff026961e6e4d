// reorder: the operation that only changes a layout. The lowering puts one where two kernels cannot agree.
#pragma once

#include "model/ir/op.h"
#include "run/exec/onednn/kernel.h"
#include "run/exec/onednn/layout.h"

namespace plimsoll {

const Op& reorder_op();

// In place of an operation whose result is its input as it lies in memory, seen with other axes.
const Op& other_view_op();

std::unique_ptr<Kernel> reorder_kernel(const Layout& from, const Layout& to);

// At once, outside a step: numbers on their way in or out.
void reorder_now(const Layout& from, const std::byte* source, const Layout& to, std::byte* target);

}  // namespace plimsoll
