// Numbers that a file has for each sample of the batch that it was written for (a class token, a mask): stored once,
// and repeated by the network where something asks for as many as there are samples. So they follow another batch.
#pragma once

#include "model/onnx/tied_weights.h"

namespace plimsoll {

void store_once(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files);

// A row of an embedding that an exporter looked up by itself, the same for each position (the type of a token): a table
// of a made-up name is stored once along each axis on which it repeats, where all that read it broadcast.
void store_rows_once(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files);

}  // namespace plimsoll
