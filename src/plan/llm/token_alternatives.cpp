#include "plan/llm/token_alternatives.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr int64_t kMostDevices = 64;  // that a suggestion asks for
constexpr int kMostChanges = 8;       // on top of each other

struct Change {
  std::string text;
  TrainingSetup setup;
};

class Alternatives {
 public:
  Alternatives(const TokenQuestion& question, const TokenFitAnswer& answer) : question_(question), answer_(answer) {}

  std::vector<TokenAlternative> find() {
    for (const Change& change : singles(question_.setup)) try_out(change);
    if (!answer_.fits) add_together();
    // What trains the same on the same devices is nearer than what does not.
    const auto distance = [&](const TokenAlternative& other) {
      const bool other_method = text_of(other.setup.tuning) != text_of(question_.setup.tuning);
      const bool more = other.devices > question_.setup.degrees.workers;
      return std::tuple(!other.fits, other_method, more, other.slowdown.value_or(1e9));
    };
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const TokenAlternative& a, const TokenAlternative& b) { return distance(a) < distance(b); });
    return std::move(found_);
  }

 private:
  static bool trains_much(const TrainingSetup& setup) {
    return setup.tuning.kind == TuningKind::full || setup.tuning.kind == TuningKind::freeze;
  }

  // Each by itself, the gentlest first.
  static std::vector<Change> singles(const TrainingSetup& now) {
    std::vector<Change> changes;
    const auto add = [&](std::string text, auto&& change) {
      TrainingSetup setup = now;
      change(setup);
      changes.push_back({std::move(text), std::move(setup)});
    };
    if (now.attention == AttentionKernel::eager)
      add("flash attention", [](TrainingSetup& s) { s.attention = AttentionKernel::flash; });
    if (now.logits != LogitsKind::chunked)
      add("chunked logits (fused cross-entropy)", [](TrainingSetup& s) { s.logits = LogitsKind::chunked; });
    if (now.checkpointing == Checkpointing::none)
      add("selective checkpointing", [](TrainingSetup& s) { s.checkpointing = Checkpointing::selective; });
    if (now.checkpointing != Checkpointing::full)
      add("full checkpointing", [](TrainingSetup& s) { s.checkpointing = Checkpointing::full; });
    if (trains_much(now) && now.optimizer->moments > 0)
      add("8-bit AdamW", [](TrainingSetup& s) { s.optimizer = *find_token_optimizer("optimizer", "adamw8bit"); });
    if (now.degrees.workers > 1 && !now.degrees.within_model()) add_shards(now, add);
    if (trains_much(now)) add("LoRA of rank 16 on all layers", [](TrainingSetup& s) { s.tuning = adapters("lora"); });
    if (!now.tuning.quantised())
      add(trains_much(now) ? "QLoRA of rank 16 on all layers" : "QLoRA: the weights that rest in 4 bits",
          [&](TrainingSetup& s) {
            if (trains_much(s)) s.tuning = adapters("qlora");
            else s.tuning.kind = TuningKind::qlora;
          });
    if (now.offload == Offload::none && trains_much(now))
      add("the optimizer's states on the host", [](TrainingSetup& s) { s.offload = Offload::optimizer; });
    if (now.offload != Offload::all && !now.degrees.within_model())
      add("parameters and states on the host", [](TrainingSetup& s) { s.offload = Offload::all; });
    return changes;
  }

  // States, then gradients, then parameters divided over the devices that there are.
  template <class Add>
  static void add_shards(const TrainingSetup& now, Add&& add) {
    const bool whole = now.shard == Shard::zero3 || now.shard == Shard::fsdp;
    const auto shard = [](Shard kind) { return [=](TrainingSetup& s) { s.shard = kind; }; };
    if (trains_much(now) && now.shard == Shard::none)
      add("ZeRO-1: the optimizer's states divided", shard(Shard::zero1));
    if (trains_much(now) && (now.shard == Shard::none || now.shard == Shard::zero1))
      add("ZeRO-2: states and gradients divided", shard(Shard::zero2));
    if (!whole) add(fmt::format("FSDP over the {} devices", now.degrees.workers), shard(Shard::fsdp));
  }

  static Tuning adapters(const char* kind) { return *parse_tuning("method", std::string(kind) + ":16:all"); }

  TokenQuestion asking(const TrainingSetup& setup) const {
    TokenQuestion changed = question_;
    changed.setup = setup;
    changed.alternatives = changed.says_sequence = false;
    return changed;
  }

  std::optional<double> per_token(const TrainingSetup& setup, int64_t batch) const {
    if (!question_.device || batch == 0) return std::nullopt;
    const auto made = question_.model->at(setup, question_.sequence);
    if (!made.ok()) return std::nullopt;
    const auto time = token_time((*made)->work, setup, batch, *question_.device, question_.wiring);
    if (!time.ok() || time->tokens_per_second <= 0) return std::nullopt;
    return double(setup.degrees.workers) / time->tokens_per_second;
  }

  void try_out(const Change& change) {
    const auto answer = token_fit(asking(change.setup));
    if (!answer.ok()) return;
    const bool gains = answer->largest > answer_.largest || answer->memory.needed() < answer_.memory.needed();
    if (!gains) return;
    TokenAlternative other;
    other.change = change.text;
    other.setup = change.setup;
    other.batch = answer->largest;
    other.fits = answer->fits && answer->largest > 0;
    other.needed = answer->memory.needed();
    other.devices = change.setup.degrees.workers;
    const int64_t compared = std::max<int64_t>(1, question_.batch.value_or(std::max<int64_t>(answer_.largest, 1)));
    const auto now = per_token(question_.setup, compared);
    const auto then = per_token(change.setup, question_.batch.value_or(std::max<int64_t>(1, answer->largest)));
    if (now && then) other.slowdown = *then / *now;
    if (then) other.tokens_per_second = double(other.devices) / *then;
    found_.push_back(std::move(other));
  }

  // One change on top of the other until it fits: on this device, then divided over several of them.
  void add_together() {
    TrainingSetup setup = question_.setup;
    std::string text;
    for (int round = 0; round < kMostChanges; ++round) {
      const auto changes = singles(setup);
      std::optional<Change> best;
      Bytes least = needed_by(setup);
      for (const Change& change : changes) {
        if (change.setup.offload != setup.offload || change.setup.checkpointing == Checkpointing::selective) continue;
        const Bytes needed = needed_by(change.setup);
        // A change of what is trained comes last.
        const bool same_method = text_of(change.setup.tuning) == text_of(setup.tuning);
        if (needed < least && (same_method || !best)) {
          if (same_method || !has_gentle(changes, setup)) {
            least = needed;
            best = change;
          }
        }
      }
      if (!best) break;
      setup = best->setup;
      text += (text.empty() ? "" : " + ") + best->text;
      if (needed_by(setup) > answer_.line) continue;
      if (round > 0) try_out({text, setup});  // by itself it is among the singles
      return;
    }
    if (!add_host(text, setup)) add_devices(text, setup);
  }

  // Divided over the devices that there are, with what rests on the host.
  bool add_host(const std::string& text, TrainingSetup setup) {
    const bool divided = setup.shard == Shard::fsdp || setup.shard == Shard::zero3;
    if (setup.degrees.within_model() || setup.degrees.workers < 2 || !divided || setup.offload == Offload::all)
      return false;
    setup.offload = Offload::all;
    if (needed_by(setup) > answer_.line) return false;
    try_out({text + (text.empty() ? "" : " + ") + "parameters and states on the host", setup});
    return true;
  }

  bool has_gentle(const std::vector<Change>& changes, const TrainingSetup& setup) const {
    const Bytes now = needed_by(setup);
    return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
      return change.setup.offload == setup.offload && text_of(change.setup.tuning) == text_of(setup.tuning) &&
             change.setup.checkpointing != Checkpointing::selective && needed_by(change.setup) < now;
    });
  }

  // As many devices of the kind as sharding needs.
  void add_devices(std::string text, TrainingSetup setup) {
    if (setup.degrees.within_model()) return;
    if (setup.shard != Shard::zero3) setup.shard = Shard::fsdp;
    const size_t here = text.find(fmt::format("FSDP over the {} devices", setup.degrees.workers));
    if (here != std::string::npos) text.erase(here < 3 ? 0 : here - 3);
    for (int64_t workers = std::max<int64_t>(2, 2 * setup.degrees.workers); workers <= kMostDevices; workers *= 2) {
      setup.degrees.workers = workers;
      if (needed_by(setup) > answer_.line) continue;
      return try_out({fmt::format("{}{}{} over {} of these devices", text, text.empty() ? "" : " + ",
                                  setup.shard == Shard::fsdp ? "FSDP" : "ZeRO-3", workers),
                      setup});
    }
  }

  Bytes needed_by(const TrainingSetup& setup) const {
    const auto memory = question_.model->memory(setup, question_.sequence, answer_.batch,
                                                question_.device ? &*question_.device : nullptr);
    return memory.ok() ? memory->needed() : Bytes(Bytes::kOverflow - 1);
  }

  const TokenQuestion& question_;
  const TokenFitAnswer& answer_;
  std::vector<TokenAlternative> found_;
};

}  // namespace

std::vector<TokenAlternative> token_alternatives(const TokenQuestion& question, const TokenFitAnswer& answer) {
  return Alternatives(question, answer).find();
}

}  // namespace plimsoll
