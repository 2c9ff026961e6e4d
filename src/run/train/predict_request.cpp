#include "run/train/predict_request.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/rows/named.h"
#include "base/text.h"
#include "model/passes/decoding_step.h"
#include "run/data/aligned_memory.h"
#include "run/data/all_datasets.h"
#include "run/data/network_input.h"
#include "run/data/picture_list.h"
#include "run/data/text/tokenizer_file.h"
#include "run/data/text_lines.h"
#include "run/exec/this_engine.h"
#include "run/train/initialise.h"
#include "run/train/judge.h"
#include "run/train/network_notes.h"
#include "run/train/request_of_run.h"

namespace plimsoll {
namespace {

constexpr double kMostWritten = 1e9;  // tokens

// The network as an inference of one sample, and what its scores are.
struct Predictor {
  std::unique_ptr<Executor> executor;
  ScoreForm form = ScoreForm::scores;
  NetworkInput input;

  std::vector<double> operator()(std::span<const std::byte> sample) {
    executor->write(executor->program().inputs.at(0), sample);
    executor->compute();
    const ValueId output = executor->program().outputs.at(0);
    std::vector<float> scores(size_t(executor->program().value(output).type->elements().value()));
    executor->read(output, std::as_writable_bytes(std::span(scores)));
    return probabilities(scores, form);
  }
};

// Where the network comes from: a run's checkpoint, or an .onnx file that has its weights.
struct PredictSource {
  std::optional<Checkpoint> checkpoint;
  TrainRequest run;  // of a file: its model, and how its pictures were prepared
  std::vector<std::string> class_names;
  std::string tokenizer = {};  // of a file that has one
};

Result<PredictSource> source_of(const PredictRequest& request) {
  PredictSource source;
  if (!request.checkpoint.ends_with(".onnx")) {
    PLIM_ASSIGN(source.checkpoint, read_checkpoint(request.checkpoint));
    PLIM_ASSIGN(source.run, request_of_run(*source.checkpoint));
    source.class_names = class_names_of_run(*source.checkpoint);
  } else {
    PLIM_ASSIGN(const NetworkNotes notes, notes_in_file(request.checkpoint));
    source.run.model.source.name = request.checkpoint;
    source.run.data = notes.data;
    source.class_names = notes.class_names;
    source.tokenizer = notes.tokenizer;
  }
  request.engine.replace(source.run);
  return source;
}

Status fill_weights(const PredictSource& source, Executor& executor) {
  if (source.checkpoint) return load_tensors(*source.checkpoint, executor);
  PLIM_ASSIGN(const ImportedNetwork file, load_model(source.run.model));
  int64_t stored = 0;
  for (const auto& value : executor.program().values)
    if (value.role == Role::parameter) ++stored;
  PLIM_ASSIGN(const int64_t written, load_weights(executor, *file.weights));
  if (written >= stored) return {};
  return user_error(fmt::format("has numbers for {} of its {} tensors", written, stored), "export it with its weights")
      .in(printable(source.run.model.source.name, 200));
}

struct ForwardPass {
  Program program;
  NetworkInput input;  // as of the whole sequence
};

Result<Program> forward_over(ModelRequest model, int64_t tokens) {
  model.sequence = tokens;
  PLIM_ASSIGN(const Network network, load_network(model));
  return network.forward(1, model.format());
}

// A text that fits into the sequence is written one token at a time, where the network can keep the others; else by the
// same weights on a shorter sequence, which takes less time than the whole.
Result<ForwardPass> forward_for(const PredictSource& source, int64_t tokens) {
  const ModelRequest& model = source.run.model;
  PLIM_ASSIGN(const Network network, load_network(model));
  PLIM_ASSIGN(Program forward, network.forward(1, model.format()));
  PLIM_ASSIGN(NetworkInput input, network_input(forward));
  const bool follows = source.checkpoint && is_language_model(model) && input.next_token;
  if (!follows || tokens == 0 || tokens > input.sample.shape[0]) return ForwardPass{std::move(forward), input};
  if (tokens < input.sample.shape[0]) {
    PLIM_ASSIGN(forward, forward_over(model, tokens));
  }
  if (source.run.device.by_torch()) return ForwardPass{std::move(forward), input};
  PLIM_ASSIGN(Program one, forward_over(model, 1));
  if (auto decoding = decoding_step(forward, std::move(one))) return ForwardPass{*std::move(decoding), input};
  return ForwardPass{std::move(forward), input};
}

// `tokens`: that a text may come to; of use for language models alone.
Result<Predictor> make_predictor(const PredictSource& source, int64_t tokens) {
  const TrainRequest& run = source.run;
  PLIM_ASSIGN(const Backend* backend, run.chosen_backend());
  PLIM_ASSIGN(const ForwardPass forward, forward_for(source, tokens));
  PLIM_ASSIGN(Program inference, make_step(forward.program, {.fuse = backend->takes_fused()}));
  Predictor predictor{nullptr, score_form(inference), forward.input};
  const EngineOptions engine = engine_options(run.threads, run.conv, run.device, run.compute);
  PLIM_ASSIGN(predictor.executor, make_executor(*backend, std::move(inference), engine));
  PLIM_TRY(fill_weights(source, *predictor.executor));
  return predictor;
}

// The pictures as the network was trained on them.
Result<DatasetPtr> prepared_pictures(const PredictRequest& request, const TrainRequest& run, const TensorType& sample) {
  PLIM_ASSIGN(const DatasetPtr pictures, open_picture_list(request.samples, sample));
  PLIM_ASSIGN(const PrepareOptions preparation, run.data.preparation(0));
  return prepare_part(pictures, sample, preparation.normalise, preparation.statistics);
}

using Use = std::function<void(size_t index, std::span<const std::byte> sample)>;

Status each_picture(const PredictRequest& request, const PredictSource& source, const TensorType& type,
                    const Use& use) {
  PLIM_ASSIGN(const DatasetPtr pictures, prepared_pictures(request, source.run, type));
  const AlignedMemory sample(type.bytes()), scratch(pictures->scratch());
  if (!sample.ok() || !scratch.ok()) return environment_error("there is no memory for one picture");
  const auto numbers = sample.span().first(size_t(type.bytes().value()));
  for (int64_t i = 0; i < pictures->size(); ++i) {
    int64_t label = 0;
    PLIM_TRY(pictures->get(i, 0, numbers, label, scratch.span()));
    use(size_t(i), numbers);
  }
  return {};
}

// Texts by the words that the network was trained on, which the training set is read for.
Status each_text(const PredictRequest& request, const PredictSource& source, const NetworkInput& input,
                 const Use& use) {
  if (!source.checkpoint)
    return user_error("reads texts, and its vocabulary is kept with its run", "predict from the run's folder")
        .in(printable(request.checkpoint, 200));
  PLIM_ASSIGN(
      const DataParts parts,
      open_dataset(
          {.name = source.run.data.data, .input = input.sample, .vocabulary = input.vocabulary, .progress = {}}));
  const auto vocabulary = vocabulary_of(*parts.train);
  if (!vocabulary) return user_error("is not a set of texts").in(printable(source.run.data.data, 200));
  std::vector<int64_t> tokens(size_t(input.sample.elements().value()));
  for (size_t i = 0; i < request.samples.size(); ++i) {
    tokenise(request.samples[i], *vocabulary, tokens);
    use(i, std::as_bytes(std::span(tokens)));
  }
  return {};
}

Result<TokenizerPtr> tokenizer_for(const PredictSource& source) {
  const auto& kept = source.run.data.tokenizer;
  if (kept && kept->kind == TokenizerChoice::Kind::file) return read_tokenizer(kept->path);
  if (source.tokenizer.empty())
    return user_error("has no tokenizer, as a language model would have", "predict from a run's folder or its export")
        .in(printable(source.checkpoint ? source.checkpoint->path : source.run.model.source.name, 200));
  auto tokenizer = parse_tokenizer(source.tokenizer);
  if (!tokenizer.ok()) return std::move(tokenizer).error().in(printable(source.run.model.source.name, 200));
  return tokenizer;
}

int64_t tokens_wanted(const PredictRequest& request, const TokenizerPtr& tokenizer) {
  if (!tokenizer) return 0;
  return std::max<int64_t>(1, int64_t(tokenizer->encode(*request.prompt).size())) + request.writing.tokens;
}

Result<WrittenText> continued(const PredictRequest& request, const Tokenizer& tokenizer, Executor& executor) {
  WritingOptions options = request.writing;
  options.seed = uint64_t(request.seed);
  return write_text(executor, tokenizer, *request.prompt, options);
}

}  // namespace

void PredictRequest::describe(Fields& fields) {
  Row network = checkpoint_row();
  network.help += ", or an exported .onnx";
  fields.add(checkpoint, network);
  fields.add(samples,
             {.name = "image",
              .subject = Subject::data,
              .help = "JPEG, PNG, WebP or BMP files; for a network that reads text, the texts themselves, in quotes",
              .separator = 0,
              .positional = true});
  fields.add(top, {.name = "top",
                   .subject = Subject::view,
                   .help = "how many classes to show for each",
                   .value = "N",
                   .least = 1,
                   .most = double(kMostClasses)});
  describe_writing(fields);
  engine.describe(fields);
  engine.describe_backend(fields);
}

void PredictRequest::describe_writing(Fields& fields) {
  const std::string with_prompt = "with " + named("prompt") + ": ";
  fields.add(prompt, {.name = "prompt",
                      .subject = Subject::data,
                      .help = "text for a language model to continue, in quotes",
                      .value = "TEXT"});
  fields.add(writing.tokens, {.name = "tokens",
                              .subject = Subject::view,
                              .help = with_prompt + "write at most this many tokens",
                              .value = "N",
                              .unit = "tokens",
                              .least = 1,
                              .most = kMostWritten});
  fields.add(writing.temperature,
             {.name = "temperature",
              .subject = Subject::view,
              .help = with_prompt + "below 1, likely tokens become likelier; 0 takes the likeliest",
              .value = "T",
              .least = 0,
              .most = 100});
  fields.add(writing.top_k, {.name = "top_k",
                             .subject = Subject::view,
                             .help = with_prompt + "draw from this many of the likeliest tokens; 0: from all",
                             .value = "K",
                             .least = 0,
                             .most = double(kMostClasses)});
  fields.add(seed, {.name = "seed",
                    .subject = Subject::view,
                    .help = with_prompt + "seed of the tokens that are drawn",
                    .value = "N",
                    .least = 0,
                    .most = 0x1p63});
}

std::vector<Guess> likeliest(const std::vector<double>& probabilities, const std::vector<std::string>& names,
                             size_t most) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return probabilities[a] > probabilities[b]; });
  std::vector<Guess> guesses;
  for (size_t i = 0; i < std::min(most, order.size()); ++i) {
    const size_t index = order[i];
    guesses.push_back(
        {int64_t(index), index < names.size() ? names[index] : std::to_string(index), probabilities[index]});
  }
  return guesses;
}

Result<PredictOutcome> ask_predict(const PredictRequest& request) {
  if (request.prompt && !request.samples.empty())
    return user_error(fmt::format("{} and pictures or texts were given, expected one of them", named("prompt")));
  if (!request.prompt && request.samples.empty())
    return user_error("no picture or text is given",
                      fmt::format("for example cat.jpg, or {} for a language model", named("prompt")));
  PLIM_ASSIGN(const PredictSource source, source_of(request));
  TokenizerPtr tokenizer;
  if (request.prompt) {
    PLIM_ASSIGN(tokenizer, tokenizer_for(source));
  }
  PLIM_ASSIGN(Predictor predictor, make_predictor(source, tokens_wanted(request, tokenizer)));
  PredictOutcome outcome{request.checkpoint, 0, predictor.input.sample.dtype == DType::i64, {}};
  if (source.checkpoint) {
    outcome.checkpoint = source.checkpoint->path;
    outcome.step = source.checkpoint->state.step;
  }
  if (predictor.input.next_token != request.prompt.has_value())
    return user_error(
               predictor.input.next_token ? "is a language model, and no prompt is given"
                                          : "is not a language model: it cannot continue a text",
               predictor.input.next_token ? named("prompt") + " \"In the beginning\"" : "give it a picture or a text")
        .in(printable(request.checkpoint, 200));
  if (request.prompt) {
    PLIM_ASSIGN(outcome.written, continued(request, *tokenizer, *predictor.executor));
    return outcome;
  }
  const Use use = [&](size_t index, std::span<const std::byte> sample) {
    outcome.samples.push_back(
        {request.samples[index], likeliest(predictor(sample), source.class_names, size_t(request.top))});
  };
  if (outcome.texts) PLIM_TRY(each_text(request, source, predictor.input, use));
  else PLIM_TRY(each_picture(request, source, predictor.input.sample, use));
  return outcome;
}

}  // namespace plimsoll
