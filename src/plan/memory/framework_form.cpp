#include "plan/memory/framework_form.h"

#include "plan/memory/framework_attention.h"
#include "plan/memory/framework_autocast.h"
#include "plan/memory/framework_casts.h"
#include "plan/memory/framework_kept_inputs.h"
#include "plan/memory/framework_kernels.h"
#include "plan/memory/framework_pieces.h"
#include "plan/memory/framework_views.h"

namespace plimsoll {

void take_form(Program& forward, const FrameworkForm& form) {
  if (form.pytorch) {
    drop_idle_casts(forward);
    single_kernels(forward);
    write_out_pieces(forward);
    keep_inputs(forward);
    take_views(forward);
  }
  if (form.fused_attention) fuse_attention(forward, form.attention);
  if (form.autocast) autocast(forward, *form.autocast);
}

}  // namespace plimsoll
