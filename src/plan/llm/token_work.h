// TokenWork: what a training step of a TokenForm asks of a device, of one sample, without the device: products by their
// shapes, attentions, and passes over memory. Blocks that are alike are there once, with their number.
#pragma once

#include "plan/llm/token_form.h"

namespace plimsoll {

enum class TokenKernel { product, experts, attention, pass };

struct TokenOperation {
  std::string name;  // of the first of those that are alike
  TokenKernel kernel = TokenKernel::pass;
  // Of a product: rows × columns × depth; columns are a sample's tokens. Of experts: of all that are chosen together.
  double rows = 0, columns = 0, depth = 0;
  double groups = 1;                             // experts
  double flops = 0;                              // forward, uncut by causality
  double hidden = 0;                             // share of an attention's products that a fused kernel leaves out
  double forward_bytes = 0, backward_bytes = 0;  // read and written by all kernels that it takes
  double forward_kernels = 1, backward_kernels = 1;
  double weight_bytes = 0;  // read whatever the batch
  bool once = false;  // a pass whose bytes are of weights alone: a micro-batch takes it once, whatever its samples
  bool data_gradient = false, weight_gradient = false;
  bool divided = false;  // by tensor parallelism; the rest is by its sequence
  bool quantised = false;
};

struct TokenGroup {
  std::vector<TokenOperation> operations;
  double count = 1;                              // blocks that are alike
  bool in_stack = true;                          // else: embedding, head and loss
  double parameters = 0, expert_parameters = 0;  // numbers of one block
  double trained = 0, expert_trained = 0;
  double sent = 0;   // bytes of a sample that go to experts and back: tokens × chosen × width
  double state = 0;  // bytes of a sample that a block hands to the next
  double cache = 0;  // bytes of a sample's keys and values
};

struct TokenWork {
  std::vector<TokenGroup> groups;
  int64_t sequence = 0, blocks = 0;
  double element = 2;      // bytes of a number
  double model_flops = 0;  // of a sample's products, forward and backward, nothing done twice: what MFU counts
  double parameters = 0, trained = 0;

  double tokens() const { return double(sequence); }
};

TokenWork token_work(const TokenForm& form, const TrainingSetup& setup);

}  // namespace plimsoll
