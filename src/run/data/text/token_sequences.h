// Texts as a language model reads them: all tokens in a row, a token between two texts, cut into sequences of equal
// length. A sample has one token more than the network's sequence: the network reads all but the last, and each of them
// is to say which one follows. So every token of the corpus but the first is asked for exactly once.
#pragma once

#include "run/data/dataset.h"
#include "run/data/text/text_documents.h"
#include "run/data/text/tokenizer.h"

namespace plimsoll {

// `length`: tokens that the network reads. What is left over at the end, less than one sequence, is not used.
Result<DatasetPtr> token_sequences(const std::string& path, const TextDocuments& documents,
                                   const TokenizerPtr& tokenizer, int64_t length);

// The tokenizer of a set of token sequences; nullptr for every other.
TokenizerPtr tokenizer_of(const Dataset& dataset);

}  // namespace plimsoll
