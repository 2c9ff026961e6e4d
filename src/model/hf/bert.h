// What the encoders that follow BERT have in common: embeddings of words, positions and kinds, layers with norms after
// each half, and the heads on top.
#pragma once

#include "model/hf/request.h"

namespace plimsoll {

struct BertSpec {
  DecoderSpec encoder;
  int64_t types = 2, tasks = 0, positions = 512, embedding = 768;
  std::string root = "bert", embeddings = "embeddings";
  bool has_positions = true;
  bool projects_before_norm = false;  // to the layers' width, without a bias
};

DecoderSpec read_bert_layers(const Config& config, int64_t width, int64_t default_heads, int64_t default_inner);
// The sizes that a family has where its file is silent.
BertSpec read_bert(const Config& config, int64_t vocabulary, int64_t heads = 12, int64_t inner = 3072);
// The sum of a word's, its kind's and its position's embedding, through a norm; `words` gets the table.
ValueId embed_bert(Builder& b, const BertSpec& spec, ValueId& words, int64_t first_position);
ValueId encode_bert(Builder& b, const BertSpec& spec, ValueId& words, int64_t first_position);

ValueId first_token(Builder& b, ValueId x);
// A product and a tanh on the first token.
ValueId pool_first(Builder& b, const std::string& root, ValueId x);
// The scores of the vocabulary from the embedding's own table. `tied_bias`: the bias's other name where transformers
// ties it; "": it has one.
ValueId word_scores(Builder& b, const std::string& name, const DecoderSpec& spec, ValueId x, ValueId words,
                    const std::string& tied_bias);
ValueId masked_words(Builder& b, const BertSpec& spec, ValueId x, ValueId words);
ValueId roberta_words(Builder& b, const BertSpec& spec, ValueId x, ValueId words);  // RoBERTa, MPNet
// A head of two layers on the first token (RoBERTa, ELECTRA).
ValueId two_layer_classes(Builder& b, ValueId x, int64_t labels, const std::string& activation);

}  // namespace plimsoll
