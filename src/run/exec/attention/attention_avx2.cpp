#include "run/exec/attention/attention_loops.h"

#if defined(__AVX2__)
#include "run/exec/attention/attention_backward.h"
#include "run/exec/attention/attention_forward.h"

namespace plimsoll {

const AttentionLoops& attention_avx2() {
  static constexpr AttentionLoops kLoops{ForwardWork::floats, BackwardWork::floats, ForwardWork::run,
                                         BackwardWork::run};
  return kLoops;
}

}  // namespace plimsoll
#endif
