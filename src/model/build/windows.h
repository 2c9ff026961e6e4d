// Pictures in windows, as Swin transformers see them: channels-last images padded, rolled, cut into square windows
// whose tokens attend to each other, and put together again.
#pragma once

#include "model/build/builder.h"

namespace plimsoll {

struct ImageSize {
  int64_t height, columns;
};

// How a stage's image is cut into windows, and what its shifted layers share.
struct Windows {
  int64_t size;  // of a side
  ImageSize image, padded;
  int64_t down, across;
  ImageSize shift;    // nothing to meet where one window is all
  ValueId mask = {};  // for shifted layers; absent where there is no shift

  int64_t tokens() const { return size * size; }
  bool shifts() const { return shift.height > 0 || shift.columns > 0; }
};

// A mistake when the image makes more windows than any mask should hold.
Windows windows_of(Builder& b, ImageSize image, int64_t size);

// Batch × height × columns × width → batch · windows × tokens × width, and back.
ValueId into_windows(Builder& b, ValueId x, const Windows& windows, int64_t width, bool shifted);
ValueId out_of_windows(Builder& b, ValueId x, const Windows& windows, int64_t width, bool shifted);

// The learned bias of each distance in a window, heads × tokens × tokens; with the mask of a shifted layer windows ×
// heads × tokens × tokens.
ValueId window_bias(Builder& b, const std::string& table, const Windows& windows, int64_t heads, bool shifted);

// The same from a table that is computed: a row a distance, a column a head.
ValueId bias_from_table(Builder& b, ValueId table, const Windows& windows, int64_t heads);

// Four neighbours become one pixel of four times the channels.
ValueId gather_corners(Builder& b, ValueId x, ImageSize image);

}  // namespace plimsoll
