#include "model/hf/import_config.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/byte_source.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "model/hf/all_families.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestFile = 16 << 20;
constexpr int64_t kLongestSequence = 1 << 24;

// Architectures with one beginning are told apart by the longest.
const Family* by_architecture(std::string_view architecture) {
  const Family* best = nullptr;
  for (const auto& family : all_families())
    if (architecture.starts_with(family.prefix) && (!best || family.prefix.size() > best->prefix.size()))
      best = &family;
  return best;
}

// What follows the family's name has to be a head that we know.
bool is_known_head(std::string_view rest) {
  for (const auto head : {"",
                          "Model",
                          "TextModel",
                          "EncoderModel",
                          "ForCausalLM",
                          "LMHeadModel",
                          "MTModel",
                          "WithLMHeadModel",
                          "DoubleHeadsModel",
                          "ForMaskedLM",
                          "ForPreTraining",
                          "ForSequenceClassification",
                          "ForTokenClassification",
                          "ForQuestionAnswering",
                          "ForMultipleChoice",
                          "ForNextSentencePrediction",
                          "ForConditionalGeneration",
                          "ForImageClassification",
                          "ForImageClassificationWithTeacher",
                          "ForAudioClassification",
                          "ForCTC",
                          "ForSemanticSegmentation",
                          "ForImageTextRetrieval",
                          "ForObjectDetection",
                          "ContextEncoder",
                          "QuestionEncoder",
                          "Reader",
                          "ModelWithProjection",
                          "TextModelWithProjection"})
    if (rest == head) return true;
  return false;
}

Error unknown(std::string_view what) {
  return user_error(fmt::format("the architecture {} is not known", in_quotes(what)),
                    "export it as .onnx, which works");
}

// The family and the architecture that it is to build.
struct Chosen {
  const Family* family = nullptr;
  std::string architecture;
};

Result<Chosen> choose(const Config& config, const std::string& model_type) {
  const auto listed = config.words("architectures");
  std::string architecture = config.text("_class_name", listed.empty() ? "" : listed[0]);
  if (!architecture.empty()) {
    const Family* family = by_architecture(architecture);
    if (!family || !is_known_head(std::string_view(architecture).substr(family->prefix.size())))
      return unknown(architecture);
    // Old names of today's classes.
    if (architecture.starts_with("RW")) architecture = "Falcon" + architecture.substr(2);
    if (architecture.starts_with("PhiMoE")) architecture = "Phimoe" + architecture.substr(6);
    return Chosen{family, architecture};
  }
  if (model_type.empty()) return Chosen{by_architecture("BertForMaskedLM"), "BertForMaskedLM"};
  for (const auto& family : all_families())
    if (family.model_type == model_type) return Chosen{&family, std::string(family.usual)};
  return unknown(model_type);
}

Status check_sequence(const ConfigOptions& options) {
  if (!options.sequence || (*options.sequence >= 1 && *options.sequence <= kLongestSequence)) return {};
  return user_error(
      fmt::format("a sequence of {} tokens was asked for, expected from 1 to {}", *options.sequence, kLongestSequence));
}

// Python writes a limit that there is not as Infinity, which no JSON has: the largest number stands for it, in as many
// letters, so that a mistake is still found where it is.
std::string without_infinity(std::string_view text) {
  constexpr std::string_view kWritten = "Infinity", kRead = "1e308   ";
  std::string plain(text);
  bool quoted = false;
  for (size_t i = 0; i < plain.size(); ++i)
    if (quoted && plain[i] == '\\') ++i;
    else if (plain[i] == '"') quoted = !quoted;
    else if (!quoted && std::string_view(plain).substr(i).starts_with(kWritten)) plain.replace(i, kRead.size(), kRead);
  return plain;
}

// Where the file has it, or would have it: that of a network of several parts is its text part's.
void set_vocabulary(Config::Json& document, int64_t tokens) {
  const auto text = document.find("text_config");
  (text != document.end() && text->is_object() ? *text : document)["vocab_size"] = tokens;
}

}  // namespace

Result<Graph> import_config_text(std::string_view text, const ConfigOptions& options) {
  PLIM_TRY(check_sequence(options));
  if (text.size() > size_t(kLargestFile))
    return user_error(fmt::format("{} bytes of configuration, expected at most {}", text.size(), kLargestFile));
  if (!is_utf8(text) && !text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF"))
    return user_error("is not UTF-8 text, expected JSON");
  PLIM_ASSIGN(Config::Json document, parse_strict_json(without_infinity(text)));
  if (!document.is_object()) return user_error("is not a JSON object, expected a config.json");
  if (options.vocabulary) set_vocabulary(document, *options.vocabulary);
  const Config config(document);
  const std::string model_type = config.text("model_type", "");
  auto chosen = choose(config, model_type);
  PLIM_TRY(config.broken());
  if (!chosen.ok()) return std::move(chosen).error();
  config.ignore({"torch_dtype", "dtype", "is_encoder_decoder", "is_decoder", "use_cache"});
  const bool own_code = config.has("auto_map");
  const Request request{config, options.name.empty() ? chosen->architecture : options.name, chosen->architecture,
                        model_type, options.sequence};
  PLIM_ASSIGN(Graph graph, chosen->family->build(request));
  if (own_code) graph.notes.push_back("auto_map is ignored: code that comes with a model is never run");
  if (config.has("quantization_config"))
    graph.notes.push_back("quantization_config is ignored: parameters are counted as if they were not quantised");
  return graph;
}

Result<Graph> import_config(const std::string& path, const ConfigOptions& options) {
  std::error_code none;
  const bool folder = std::filesystem::is_directory(path, none);
  const std::string file = folder ? path + "/config.json" : path;
  PLIM_ASSIGN(const auto source, open_regular_file(file, ".json"));
  if (source->size() > kLargestFile)
    return user_error(
        fmt::format("is {} bytes long, expected a config.json of at most {}", source->size(), kLargestFile));
  std::string text(size_t(source->size()), '\0');
  PLIM_TRY(source->read(0, text));
  return import_config_text(text, options);
}

}  // namespace plimsoll
