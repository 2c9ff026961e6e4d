#include "run/data/all_datasets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "run/data/cifar.h"
#include "run/data/idx.h"
#include "run/data/image_folder.h"
#include "run/data/text/language_parts.h"
#include "run/data/text/text_documents.h"
#include "run/data/text_lines.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFashion[] = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                                         "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};

constexpr NamedSet kSets[] = {
    {"fashion-mnist", "60,000 + 10,000 gray pictures of clothes, 28x28, 10 classes", kFashion, 10},
    {"mnist", "60,000 + 10,000 gray pictures of digits, 28x28, 10 classes", {}, 10},
    {"cifar10", "50,000 + 10,000 colour pictures, 32x32, 10 classes", {}, 10},
    {"catsdogs", "10,000 + 2,000 JPEGs of cats and dogs, 32x32", {}, 2},
    {"debian-sections", "one-line descriptions of Debian's packages, 2 sections", {}, 2},
    {"king-james", "the King James Bible of 1611, 4.1 MB of English prose, for language models", {}, 0},
};

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}
bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// The file or its compressed form; empty when neither is there.
std::string plain_or_gzip(const std::string& path) {
  return exists(path) ? path : exists(path + ".gz") ? path + ".gz" : "";
}

// IDX: a folder with MNIST's four names, or one file of pictures with its labels beside it.
constexpr const char* kIdxTrain = "/train-images-idx3-ubyte";

std::string labels_beside(const std::string& images) {
  const size_t at = images.rfind("images-idx3");
  if (at == std::string::npos) return {};
  std::string labels = images;
  return labels.replace(at, 11, "labels-idx1");
}

bool is_idx(const std::string& path) {
  return is_folder(path) ? !plain_or_gzip(path + kIdxTrain).empty() : !labels_beside(path).empty();
}

Result<DataParts> open_idx_parts(const std::string& path, const DataRequest&) {
  const std::string images = is_folder(path) ? plain_or_gzip(path + kIdxTrain) : path;
  DataParts parts;
  PLIM_ASSIGN(parts.train, open_idx({images, labels_beside(images)}));
  if (!is_folder(path)) return parts;
  const std::string test = plain_or_gzip(path + "/t10k-images-idx3-ubyte");
  if (test.empty()) return parts;
  PLIM_ASSIGN(parts.test, open_idx({test, labels_beside(test)}, parts.train->info().type.classes));
  return parts;
}

// CIFAR: a folder with the names of CIFAR-10 or CIFAR-100, or one file of records.
bool is_cifar(const std::string& path) {
  if (is_folder(path)) return exists(path + "/data_batch_1.bin") || exists(path + "/train.bin");
  return fs::path(path).extension() == ".bin";
}

Result<DataParts> open_cifar_parts(const std::string& path, const DataRequest&) {
  DataParts parts;
  if (!is_folder(path)) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    const bool hundred = !error && size % 3074 == 0 && size % 3073 != 0;
    PLIM_ASSIGN(parts.train, open_cifar({path}, hundred ? CifarKind::hundred : CifarKind::ten));
    return parts;
  }
  const bool ten = exists(path + "/data_batch_1.bin");
  const CifarKind kind = ten ? CifarKind::ten : CifarKind::hundred;
  std::vector<std::string> train = {path + (ten ? "/data_batch_1.bin" : "/train.bin")};
  for (int i = 2; ten && exists(fmt::format("{}/data_batch_{}.bin", path, i)); ++i)
    train.push_back(fmt::format("{}/data_batch_{}.bin", path, i));
  PLIM_ASSIGN(parts.train, open_cifar(train, kind));
  const std::string test = path + (ten ? "/test_batch.bin" : "/test.bin");
  if (exists(test)) {
    PLIM_ASSIGN(parts.test, open_cifar({test}, kind));
  }
  return parts;
}

// The first of these names that is there.
std::string part_of(const std::string& path, std::initializer_list<const char*> names, const std::string& extension) {
  for (const char* name : names)
    if (const std::string full = fmt::format("{}/{}{}", path, name, extension); exists(full)) return full;
  return {};
}

// Text: a .csv file, or a folder with train.csv and perhaps validation.csv and test.csv.
bool is_text(const std::string& path) {
  if (is_folder(path)) return exists(path + "/train.csv");
  return fs::path(path).extension() == ".csv" || fs::path(path).extension() == ".txt";
}

Result<DataParts> open_text_parts(const std::string& path, const DataRequest& request) {
  TextOptions options{.vocabulary = request.vocabulary};
  if (request.input) {
    if (request.input->dtype != DType::i64 || request.input->shape.rank() != 1)
      return user_error(fmt::format("is text, the network takes {} of {}", name_of(request.input->dtype),
                                    request.input->shape.text()),
                        "train textcnn on it")
          .in(printable(path, 300));
    options.length = request.input->shape[0];
  }
  const bool folder = is_folder(path);
  DataParts parts;
  PLIM_ASSIGN(TextLines train, open_text_lines(folder ? path + "/train.csv" : path, options));
  parts.train = train.dataset;
  options.trained = train.vocabulary;
  const auto open_part = [&](const std::string& file, DatasetPtr& part) -> Status {
    if (file.empty()) return {};
    PLIM_ASSIGN(TextLines lines, open_text_lines(file, options));
    part = lines.dataset;
    return {};
  };
  if (!folder) return parts;
  PLIM_TRY(open_part(part_of(path, {"validation", "val", "valid"}, ".csv"), parts.validation));
  PLIM_TRY(open_part(part_of(path, {"test"}, ".csv"), parts.test));
  return parts;
}

// Text without labels: only a language model can learn from it.
bool is_prose(const std::string& path) {
  if (!is_folder(path)) return fs::path(path).extension() == ".jsonl";
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (is_text_file(at->path().string())) return true;
  return false;
}

Result<DataParts> refuse_prose(const std::string& path, const DataRequest&) {
  return user_error("is text without labels, which is for language models", "train gpt-10m on it")
      .in(printable(path, 300));
}

// Pictures: a folder with a folder a class; or train, and perhaps validation and test, each with a folder a class.
Result<DataParts> open_image_parts(const std::string& path, const DataRequest& request) {
  ImageFolderOptions options;
  if (request.input && request.input->dtype == DType::f32 && request.input->shape.rank() == 3)
    options.input = request.input->shape;
  DataParts parts;
  if (!is_folder(path + "/train")) {
    PLIM_ASSIGN(parts.train, open_image_folder(path, options));
    return parts;
  }
  PLIM_ASSIGN(parts.train, open_image_folder(path + "/train", options));
  options.classes = parts.train->info().class_names;
  options.input = parts.train->info().type.input.shape;
  const auto open_part = [&](const std::string& folder, DatasetPtr& part) -> Status {
    if (folder.empty()) return {};
    PLIM_ASSIGN(part, open_image_folder(folder, options));
    return {};
  };
  PLIM_TRY(open_part(part_of(path, {"validation", "val", "valid"}, ""), parts.validation));
  PLIM_TRY(open_part(part_of(path, {"test"}, ""), parts.test));
  return parts;
}

struct Format {
  bool (*is_it)(const std::string& path);
  Result<DataParts> (*open)(const std::string& path, const DataRequest& request);
};
constexpr Format kFormats[] = {
    {is_idx, open_idx_parts}, {is_cifar, open_cifar_parts},  {is_text, open_text_parts},
    {is_prose, refuse_prose}, {is_folder, open_image_parts},  // last: every folder may be one
};

// The set's own name and names of its classes.
class Renamed : public DatasetAround {
 public:
  Renamed(DatasetPtr inner, std::string name, std::span<const std::string_view> classes)
      : DatasetAround(std::move(inner)) {
    info_.name = std::move(name);
    if (int64_t(classes.size()) == info_.type.classes) info_.class_names.assign(classes.begin(), classes.end());
  }
  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    return inner_->get(index, epoch, input, label, scratch);
  }
};

Result<DataParts> open_path(const std::string& path, const DataRequest& request) {
  if (request.next_token) return open_language_parts(path, request);
  for (const auto& format : kFormats)
    if (format.is_it(path)) return format.open(path, request);
  return user_error("is in no known format, expected IDX, CIFAR .bin, .csv, or a folder of pictures by class")
      .in(printable(path, 300));
}

Error unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& set : kSets) names.emplace_back(set.name);
  return user_error(fmt::format("{} is neither a known dataset nor a path, expected one of {}, a file or a folder",
                                plimsoll::in_quotes(name), fmt::join(names, ", ")),
                    did_you_mean(name, names));
}

}  // namespace

std::span<const NamedSet> all_datasets() { return kSets; }

Result<DataParts> open_dataset(const DataRequest& request) {
  const auto* known =
      std::find_if(std::begin(kSets), std::end(kSets), [&](const NamedSet& set) { return set.name == request.name; });
  if (known == std::end(kSets)) {
    if (request.name.empty() || !exists(request.name)) return unknown(request.name);
    return open_path(request.name, request);
  }
  const ObtainProgress silent = [](const std::string&) {};
  PLIM_ASSIGN(const Obtained set,
              obtain(request.name, data_home(), false, request.progress ? request.progress : silent));
  PLIM_ASSIGN(DataParts parts, open_path(set.folder, request));
  for (DatasetPtr* part : {&parts.train, &parts.validation, &parts.test}) {
    const std::string name = request.name + (part == &parts.test ? " (test)" : "");
    if (*part) *part = std::make_shared<Renamed>(*part, name, known->class_names);
  }
  return parts;
}

}  // namespace plimsoll
