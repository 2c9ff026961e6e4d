// A folder of pictures: a folder a class, its pictures inside (JPEG, PNG, WebP, BMP). Classes are in the order of their
// names.
//
// Every file's header is read when the folder is opened, so that the memory for the largest is known. A bad picture is
// an error of its own, when it is asked for. Hidden files are passed over; files of other kinds too, with a warning.
#pragma once

#include <optional>

#include "run/data/dataset.h"

namespace plimsoll {

struct ImageFolderOptions {
  std::optional<Shape> input;        // C x H x W that every picture is brought to; by default 3 x the commonest size
  std::vector<std::string> classes;  // those of the training part, when this is another part; by default all folders
};

Result<DatasetPtr> open_image_folder(const std::string& path, const ImageFolderOptions& options);

}  // namespace plimsoll
