// Written by `make schema` from the rows of requests and answers. Do not edit.

export interface Accuracy {
  schema: string;
  step_time: AccuracyRow[];
  scaling: AccuracyRow[];
  memory: MemoryAccuracy[];
}

export interface AccuracyRow {
  measured: string; // what, on what, with what
  rows: number; // measurements
  median_error: number; // share
  worst_factor: number;
  within_30: number; // share of predictions within 30 %
}

export interface Alternative {
  change: string; // what would be changed
  batch: number; // the largest under the line then, of all devices or micro-batches together
  slowdown: number | null; // time per sample compared with the present setup; null where it is not predicted
}

export interface Bench {
  schema: string;
  model: string; // the network
  mode: "train" | "inference" | "generate"; // training or inference
  samples: number; // of an epoch
  peak_flops_per_second: number | null; // of all cores, as probe measured it; null: not probed
  runs: BenchRun[]; // one for each method, batch and number of threads
  best: BestThreads[]; // number of threads for each batch and method
  beside: BesideDevice[]; // other machines, predicted
}

export interface BenchRequest {
  model?: string; // a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face config.json (or its folder) or a .gguf
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  batch?: number[] | number; // samples per step, one number or several: 1,8,32
  mode?: "train" | "inference" | "generate"; // train, inference, or generate (a language model is served)
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw is the default: adamw, adam, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, lion8bit, muon, momentum or sgd (default: momentum)
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  recompute?: number; // drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if no number is given)
  micro_batches?: number; // split each step into this many parts and add up their gradients, in the memory of one part; batch is the batch of a part (default: 1)
  beside?: string[] | string; // devices of the catalog ('plimsoll devices') whose predicted times are shown beside the measured ones
  steps?: number; // measure at least this many steps
  warm_up?: number; // warm-up steps, which are not counted
  seconds?: number; // measure for at least this long [seconds]
  samples?: number; // images per epoch
  device?: string; // where steps are computed: cpu, cuda:N (an NVIDIA GPU, through the installed PyTorch) or torch:cpu (the same path on the processor)
  compute?: string; // format of products and convolutions on cuda:N and torch:cpu: f32, tf32 (GPUs), bf16 or f16, and channels-last, which may follow another after a comma
  threads?: number[] | number; // threads per step, one number or several: 1,2,4 (default: one per core)
  conv?: ("auto" | "direct" | "winograd" | "fft")[] | "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions, one method or several: auto, direct, winograd or fft
  backend?: string; // onednn or reference (slow, exact) (default: onednn)
  profile?: boolean; // show where the time goes: run as many steps again with every operation timed
  check?: string; // also compare every operation of a step with the reference maths and the memory plan with the memory taken, and write a report
}

export interface BenchRun {
  batch: number; // samples of one pass
  micro_batches: number; // passes of a step
  threads: number;
  conv: "auto" | "direct" | "winograd" | "fft"; // how convolutions are computed
  step_seconds: number; // the median
  fastest_step_seconds: number;
  processor_seconds: number; // of a step, all threads and the loader's share together: the median
  quartile_seconds: number[]; // the first and the third
  spread: number; // half of the steps lie within this, as a share of the median
  steps: number; // that were measured
  images_per_second: number;
  epoch_seconds: number;
  predicted_step_seconds: number | null; // null: this machine has not been probed
  flops: number; // of a step, convolutions counted directly
  flops_per_second: number;
  peak_share: number | null; // of the peak that probe measured; null: not probed
  speedup: number; // against the first run of the same batch and method
  peak_bytes: number; // memory as measured
  planned_bytes: number; // memory as planned
  reorders: number; // changes of layout in a step
  conv_methods: Record<string, number>; // how many convolutions are computed how
  by_reference: string[]; // operations without a fast kernel
  declined?: Declined[]; // why operations did not get the kernel that is asked first, with the profile
  profile?: Profile; // where the time goes, where that was asked
}

export interface BesideDevice {
  device: string;
  framework: string;
  batch: number;
  predicted_step_seconds: number;
  predicted_epoch_seconds: number;
}

export interface BestThreads {
  batch: number;
  conv: "auto" | "direct" | "winograd" | "fft";
  threads: number; // to take
  fastest: number; // number of threads
  why: string;
}

export interface Block {
  name: string;
  count: number; // of equal ones
  params: number;
  macs: number;
  flops: number;
}

export interface Cache {
  kind: string; // of layer
  layers: number; // that keep one
  bytes_per_token: number;
  fixed_bytes: number; // whatever the length
  window: number; // tokens that are kept; 0: all
}

export interface Caches {
  l1_bytes?: number; // data, of one core
  l2_bytes?: number; // of one core
  l3_bytes?: number; // of all cores together
}

export interface CalibrateRequest {
  device?: string; // the device: a name of the catalog, 'this', or the path of a device file
  gemm?: number | string; // measured: what a large matrix product reaches, e.g. 71TFLOPS [operations a second]
  gemm_dtype?: "f16" | "bf16" | "tf32" | "f32"; // the number format of that product: f16, bf16, tf32 or f32 (default: f16 where the device has matrix units for it, else f32)
  bandwidth?: number | string; // measured: what a copy of a large tensor reaches, bytes read and written together, e.g. 900GB/s [bytes a second]
  measured?: string[] | string; // instead: a measured step of PyTorch, NETWORK:BATCH[:FORMAT][:inference]=TIME, also with :nhwc, :compile or :512tokens; may be given several times
  source?: string; // how the numbers were measured, for the file (default: 'measured, as given')
  out?: string; // write the device file here (default: only shown)
}

export interface CalibratedRun {
  run: string; // as it was given
  measured_seconds: number;
  before_seconds: number; // predicted by the data sheet
  after_seconds: number; // predicted by the calibrated device
}

export interface Calibration {
  schema: string;
  gemm_dtype: string; // the number format of the product
  gemm_before: number; // expected of a large product from the data sheet, operations a second
  gemm: number; // as measured or fitted
  bandwidth_before: number; // expected of a large copy from the data sheet, bytes a second
  bandwidth: number; // as measured or fitted
  runs?: CalibratedRun[]; // that it was fitted to
  median_error_before?: number; // of these runs by the data sheet
  median_error?: number; // of these runs afterwards; of others it may be more
  kept_in?: string; // the device file
  device: Device; // with every figure
}

export interface Choices {
  schema: string;
  version: string; // of the program
  models: ChosenModel[];
  language_models: ChosenLanguageModel[]; // networks of transformers
  devices: ChosenDevice[];
  formats: string[]; // number formats
  optimizers: string[];
  default_optimizer: string;
  token_optimizers: string[]; // of language models on GPUs
  frameworks: string[];
  links: string[]; // between workers, by name
  weights: string[]; // formats of weights that are served
  kv: string[]; // formats of the cache of keys and values
  verbs: string[]; // that the page may ask
}

export interface ChosenDevice {
  name: string;
  title: string;
  kind: string;
  count: number; // of what computes
  memory_bytes?: number; // of each of them
  sources: string[]; // of its figures, with their dates
}

export interface ChosenLanguageModel {
  name: string;
  family: string;
  summary: string;
}

export interface ChosenModel {
  name: string;
  summary: string;
  input: string; // shape of one sample
}

export interface ConvRates {
  direction: string; // forward, grad_data or grad_weights
  method: string;
  kernel: number; // size along both axes
  at: number[][]; // channels, output positions, GFLOP/s as the direct method counts them
}

export interface CriticalBatch {
  batch: number; // the critical batch
  low: number; // with each batch left out in turn
  high: number; // with each batch left out in turn
  least_steps: number; // that remain with batches far beyond it
}

export interface DataBenchmark {
  schema: string;
  name: string; // of the set
  benchmark: LoaderBenchmark;
}

export interface DataGet {
  schema: string;
  name: string; // of the set
  folder: string; // that it is in
  was_there: boolean; // it had been obtained before, and is whole
}

export interface DataRequest {
  dataset: string[] | string; // a name, a path, or get and a name
  to?: string; // with get: folder to keep the set in (default: where other verbs look for it)
  input?: number[] | string; // resize samples to this shape: 3x64x64 for pictures, 64 for tokens (default: as they are)
  benchmark?: boolean; // measure samples/s with several numbers of loader workers, and say how many are enough
  loaders?: number[] | number; // loader workers; with benchmark one number or several: 1,2,4 (default: one per core, at most 8; with benchmark 1, 2, 4 … up to four per core)
  batch?: number; // with benchmark: samples per batch
  augment?: string; // with benchmark: as in train, e.g. flip,shift:4
  report?: string; // draw counts and samples into this .html or .svg file
}

export interface DataSummary {
  schema: string;
  name: string; // of the set
  input: SampleType; // one sample
  classes: string[]; // their names
  bytes: number; // of its files
  identity: string; // of names, sizes and content
  parts: PartSummary[]; // the training part first
  sizes: PictureSize[]; // of pictures, the commonest first
  warnings: string[];
}

export interface Declined {
  op: string;
  operations: number; // that were declined in this way
  example: string; // the name of the first
  implementation: string; // that was asked; empty: there was none to ask
  reason: string; // why it declined
  taken_by: string; // the implementation that runs them
}

export interface DecodedPicture {
  width: number;
  height: number;
  jpeg_bytes: number;
}

export interface Device {
  name: string;
  title: string;
  vendor: string;
  kind: "gpu" | "cpu" | "node" | "instance";
  generation?: string;
  released?: string;
  compute_capability?: string;
  ecc?: string; // where checksums of its memory are: inline takes bandwidth from the data
  note?: string;
  aliases?: string[]; // other names of it
  instruction_sets?: string[]; // of a CPU
  contains?: DevicePart[]; // of a node or an instance
  memory_bytes?: number;
  memory_max_bytes?: number; // that it can be given
  memory_bandwidth?: number; // bytes a second
  cores?: number;
  units?: number; // multiprocessors
  tensor_cores?: number;
  threads?: number;
  sockets?: number;
  f32_per_cycle?: number; // operations of a core
  base_clock?: number; // hertz
  boost_clock?: number; // hertz
  vector_clock?: number; // hertz
  peak?: Record<string, number>; // operations a second by format
  matrix_peak?: Record<string, number>; // of matrix units
  core_peak?: Record<string, number>; // of one core
  gemm_rate?: Record<string, number>; // that a large product reaches, measured
  reached_bandwidth?: number; // that a large copy reaches, measured
  l1_cache_bytes?: number;
  l2_cache_bytes?: number;
  l3_cache_bytes?: number;
  l1_bandwidth?: number; // bytes a second
  l2_bandwidth?: number; // bytes a second
  l3_bandwidth?: number; // bytes a second
  core_bandwidth?: number; // bytes a second of one core
  tdp_watts?: number;
  host_link?: number; // bytes a second
  device_link?: number; // bytes a second
  network?: number; // bytes a second
  disk_read?: number; // bytes a second
  disk_write?: number; // bytes a second
  decode_rate?: number; // images a second of one core
  decode_rate_augmented?: number; // images a second of one core
  price?: Price; // bought
  price_per_hour?: Price; // rented
  sources?: Record<string, Source>; // of its figures, by key
  figures?: Figure[]; // every number with its unit and source
}

export interface DevicePart {
  device: string; // its name
  count?: number;
  threads?: number; // of it, where only a share belongs to the machine
}

export interface DeviceProbe {
  schema: string;
  device: string; // as later requests name it
  title: string;
  kept_in: string; // the device file
  date: string;
  quick: boolean;
  torch: string; // the version of PyTorch that computed
  threads: number; // of torch:cpu
  memory_bytes: number | null; // of the device
  context_bytes: number | null; // that libraries hold on a GPU; null: there is none
  matrix_rows: number; // of the matrices that were multiplied
  products: ProbedProduct[]; // by the format in which they were computed
  copy_bytes_per_second: number; // on the device, read and written together
  to_device_bytes_per_second: number; // from the host's memory
  to_host_bytes_per_second: number;
  call_seconds: number; // of an operation on one number
}

export interface Devices {
  schema: string;
  devices: Device[];
}

export interface DevicesRequest {
  name?: string; // one device, or the path of a device file of your own (.json)
  kind?: "gpu" | "cpu" | "node" | "instance"; // only gpu, cpu, node or instance
}

export interface DiskSpeed {
  read?: number; // bytes per second
  write?: number; // bytes per second, flushed
  note?: string; // why a figure is absent
}

export interface Done {
  schema: string;
}

export interface DroppedNetwork {
  schema: string;
  model: string; // the server's name for it
  open_sizes: string[]; // before they are said nothing is known of it
  language_model: boolean; // a config.json or .gguf: its sizes follow the sequence
}

export interface Epoch {
  epoch: number; // from 1
  steps: number;
  complete: boolean; // false: it was cut short
  train_loss: number | null; // the running mean over the epoch
  train_accuracy: number;
  val_loss: number | null;
  val_accuracy: number | null;
  seconds: number; // of training, without validation
  images_per_second: number;
  learning_rate: number; // of its last step
  tokens_per_second?: number; // of a language model
  train_perplexity?: number; // of a language model: e to the loss
  val_perplexity?: number;
}

export interface Error {
  schema: string;
  exit_code: number; // that goes with it
  what: string; // was found, and what was expected
  where: string; // a file and a place in it; may be empty
  hint: string; // what to do; may be empty
}

export interface Eval {
  schema: string;
  checkpoint: string; // the file
  step: number; // after which it was saved
  data: string; // the dataset
  part: string; // test, validation or train
  samples: number; // of a language model its sequences
  tokens?: number; // of a language model: those that it was to say
  loss: number | null; // the mean over all samples, or tokens
  perplexity?: number; // of a language model: e to the loss
  accuracy: number; // share of samples that were classified correctly
  seconds: number; // of the whole evaluation
  classes: EvaluatedClass[];
  confusion: number[][]; // a row for each label, a column for each class that was chosen; empty with very many classes
}

export interface EvalRequest {
  checkpoint: string; // a run's folder, or a checkpoint's .json or .safetensors file
  data?: string; // fashion-mnist, mnist, cifar10, catsdogs, debian-sections, king-james, or the path of a file or folder; for language models text (.txt, .jsonl) (default: the run's own)
  part?: "test" | "validation" | "train"; // part of the data: test, validation or train (default: the first of these that exists)
  loaders?: number; // loader workers; 0: the evaluating thread loads (default: as in training)
  batch?: number; // samples at a time (default: the run's)
  threads?: number; // threads per step on this machine (default: as in training)
  conv?: "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory) (default: as in training)
  backend?: string; // onednn or reference (default: as in training)
  device?: string; // where steps are computed: cpu, cuda:N (an NVIDIA GPU, through the installed PyTorch) or torch:cpu (the same path on the processor) (default: as in training)
  compute?: string; // format of products and convolutions on cuda:N and torch:cpu: f32, tf32 (GPUs), bf16 or f16, and channels-last, which may follow another after a comma (default: as in training)
}

export interface EvaluatedClass {
  name: string; // its number where it has no name
  samples: number;
  accuracy: number | null; // null: no sample of this class
}

export interface Export {
  schema: string;
  model: string; // the network, as it was named
  file: string; // that was written
  bytes: number; // of the file
  tensors: number; // that are stored
  weights: string; // where they are from: checkpoint, file, fresh, or none
  opset: number; // of ONNX
  data_file?: string; // the weights, where they are in a file of their own
  data_bytes?: number; // of that file
}

export interface ExportRequest {
  model: string; // a run's folder or checkpoint, a network of the zoo ('plimsoll models'), or the path of an .onnx file
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  seed?: number; // seed of fresh weights
  output: string; // the file to write
  no_weights?: boolean; // write shapes only, without weights
}

export interface Figure {
  field: string;
  value: number;
  unit: string;
  source: string;
  date?: string;
  note?: string;
}

export interface Fit {
  schema: string;
  model: string; // the network
  device?: string; // absent when a size of memory was given
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // whose memory it is
  mode: "train" | "inference" | "generate"; // training or inference
  dtype: string; // number format
  optimizer?: string; // of a training
  batch: number; // the batch that was asked for, else the largest under the line; 0: none is
  fits: boolean; // that batch is under the line
  lower_bound: boolean; // something is not counted, so the answer is a lower bound
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  unbounded_operations: number; // in loops without a known end, counted once
  lower_bound_reason?: string; // the same in a sentence
  largest_batch: number; // under the line; 0: not even one sample
  peak_bytes: number; // the most memory in use during a step, as expected
  needed_bytes: number; // to run at all, with nothing cached; decides what fits
  reserved_bytes: number; // of the peak by the framework's allocator, without the context
  allocated_bytes: number; // of that in tensors and scratch memory
  range: Range; // what the peak may be
  memory_bytes: number; // of the device, or as given
  load_line: number; // share of the memory that may be filled
  line_bytes: number; // memory under the line
  shortfall_bytes: number; // by which the line is missed; 0 when it fits
  smallest_memory_bytes: number; // that would carry this batch
  evaluation_peak_bytes: number; // of an inference with this batch
  next_peak_bytes?: number; // of one sample more than the largest batch
  arena_bytes?: number; // of our own engine, which packs
  bound_bytes?: number; // no plan can take less
  breakdown: Record<string, number>; // bytes at the peak, by what they are
  kept_bytes?: number; // that autograd keeps for the backward pass, at this batch; not when brief
  largest_tensor: Tensor | null; // of the step
  breaking_tensor?: Tensor | null; // whose allocation crosses the line
  peak_operation: string; // during which memory is fullest
  at_peak: Tensor[]; // what is alive then, the largest first
  timeline: number[]; // bytes during each operation of the step
  timeline_parts: TimelineParts; // the same by what it is
  conv_methods?: Record<string, number>; // how many convolutions are computed how, by our engine here
  alternatives: Alternative[]; // what would carry more, best first
  sentences: string[]; // the answer in words
  residence?: Residence; // what is where, where that was asked
}

export interface FitAnswer {
  schema: string; // of this answer
  model: string; // the network
  device?: string; // absent when a size of memory was given
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // whose memory it is
  mode: "train" | "inference" | "generate"; // training or inference
  dtype: string; // number format
  optimizer?: string; // of a training
  batch: number; // the batch that was asked for, else the largest under the line; 0: none is
  fits: boolean; // that batch is under the line
  lower_bound: boolean; // something is not counted, so the answer is a lower bound
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  unbounded_operations: number; // in loops without a known end, counted once
  lower_bound_reason?: string; // the same in a sentence
  largest_batch: number; // under the line; 0: not even one sample
  peak_bytes: number; // the most memory in use during a step, as expected
  needed_bytes: number; // to run at all, with nothing cached; decides what fits
  reserved_bytes: number; // of the peak by the framework's allocator, without the context
  allocated_bytes: number; // of that in tensors and scratch memory
  range: Range; // what the peak may be
  memory_bytes: number; // of the device, or as given
  load_line: number; // share of the memory that may be filled
  line_bytes: number; // memory under the line
  shortfall_bytes: number; // by which the line is missed; 0 when it fits
  smallest_memory_bytes: number; // that would carry this batch
  evaluation_peak_bytes: number; // of an inference with this batch
  next_peak_bytes?: number; // of one sample more than the largest batch
  arena_bytes?: number; // of our own engine, which packs
  bound_bytes?: number; // no plan can take less
  breakdown: Record<string, number>; // bytes at the peak, by what they are
  kept_bytes?: number; // that autograd keeps for the backward pass, at this batch; not when brief
  largest_tensor: Tensor | null; // of the step
  breaking_tensor?: Tensor | null; // whose allocation crosses the line
  peak_operation: string; // during which memory is fullest
  at_peak: Tensor[]; // what is alive then, the largest first
  timeline: number[]; // bytes during each operation of the step
  timeline_parts: TimelineParts; // the same by what it is
  conv_methods?: Record<string, number>; // how many convolutions are computed how, by our engine here
  alternatives: Alternative[]; // what would carry more, best first
  sentences: string[]; // the answer in words
  residence?: Residence; // what is where, where that was asked
}

export interface FitByArithmetic {
  schema: string;
  form: string; // arithmetic
  device?: string; // absent when a size of memory was given
  batch: number; // the batch that was asked for, else the largest under the line
  fits: boolean; // that batch is under the line
  largest_batch: number; // under the line
  peak_bytes: number; // of that batch
  memory_bytes: number; // of the device, or as given
  load_line: number; // share of the memory that may be filled
  line_bytes: number; // memory under the line
  shortfall_bytes: number; // by which the line is missed
  smallest_memory_bytes: number; // that would carry this batch
  breakdown: Record<string, number>; // bytes, by what they are
  past_line?: PastLine; // what happens past the line
  sentences: string[]; // the answer in words
}

export interface FitRequest {
  model?: string; // a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face config.json (or its folder) or a .gguf
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  batch?: number; // check this batch, in samples per step (default: find the largest under the line)
  mode?: "train" | "inference" | "generate"; // train, inference, or generate (a language model is served)
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw is the default: adamw, adam, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, lion8bit, muon, momentum or sgd (default: momentum)
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  recompute?: number; // drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if no number is given)
  micro_batches?: number; // split each step into this many parts and add up their gradients, in the memory of one part; batch is the batch of a part (default: 1)
  method?: string; // which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and commas); of a language model also lora:R, qlora:R (4-bit weights), dora:R, each with :TARGETS (q,k,v,o,gate,up,down or all) (default: full; targets q,v)
  checkpointing?: "none" | "full" | "selective"; // recompute the activations of blocks: none, full, or selective (all but matrix products) (default: none)
  logits?: "f32" | "bf16" | "chunked"; // how the loss is computed: f32, bf16, or chunked (fused cross-entropy) (default: f32)
  packing?: boolean; // pack several samples into each sequence; every attention kernel but flash needs a mask for it
  shard?: "none" | "zero1" | "zero2" | "zero3" | "fsdp" | "hsdp"; // what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and gradients), zero3, fsdp (all), hsdp (all, within a node) (default: none)
  offload?: string; // what the host keeps: in training none, optimizer, or all (parameters too); with mode generate the layers that the CPU keeps and computes, a number or all (default: none)
  workers?: number; // devices that share a language model, trained or served (default: those of the device)
  tensor_parallel?: number; // devices that each matrix is split across (default: 1 in training; those of the node in serving)
  pipeline?: number; // stages that the blocks are divided into (default: 1)
  context_parallel?: number; // devices that share every sequence (default: 1)
  expert_parallel?: number; // devices that the experts of a layer are divided over (default: 1)
  context?: number; // with mode generate: tokens of a sequence, prompt and answer together [tokens] (default: 4,096)
  concurrency?: number; // with mode generate: sequences that are served at the same time (default: 1)
  prompt_tokens?: number; // with mode generate: tokens that are read before the first is written [tokens] (default: fit: the whole context; place: 1,024)
  output_tokens?: number; // with mode generate: tokens that are written [tokens] (default: 256)
  weights?: string; // with mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, gptq-int8, int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, q5_0, q5_k_m, q6_k or q8_0 (default: bf16)
  kv?: string; // with mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, q8_0 or q4_0 (default: bf16)
  device?: string; // a device of the catalog ('plimsoll devices'), 'this', the path of a device file, or cuda:N or torch:cpu of this machine, whose kernels are tried
  memory?: number | string; // memory of the device, e.g. 8GiB (2^30, also 8G and 8) or 8GB (10^9) [bytes]
  framework?: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch on GPUs, else plimsoll)
  layout?: "nchw" | "nhwc"; // memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last)
  compile?: boolean; // predict for torch.compile, which fuses chains of element-wise operations into one kernel
  torch?: string; // PyTorch version, where it matters: 1.12, 2.4 …
  attention?: "flash" | "sdpa" | "eager"; // how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single operations) (default: sdpa, or eager where a file's network writes it out)
  load_line?: number; // share of the memory that may be filled
  threads?: number; // threads per step on this machine (default: one per core)
  conv?: "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory)
  residence?: boolean; // also show what lives where (disk, RAM, caches, device) and what moving it costs
  disk?: string; // where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate such as 550MB/s; 4xsata@1GB/s: four behind a link of 1 GB/s (default: sata)
  sample_bytes?: number | string; // with residence: size of one sample's file, e.g. 110KB [bytes]
  brief?: boolean; // skip the suggestions (they take the longest)
  print_passes?: boolean; // print the step's program to stderr after each pass that changed it, with the pass's reason and time
  model_mb?: number; // without MODEL: size of the parameters, in MB (10^6 bytes) [10^6 bytes]
  sample_mb?: number; // without MODEL: size of one sample as the network reads it, in MB [10^6 bytes]
  activation_mb?: number; // without MODEL: activations and gradients of one sample, in MB [10^6 bytes]
}

export interface FitServing {
  schema: string;
  model: string; // the network
  device?: string; // absent when a size of memory was given
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // that serves it
  mode: "train" | "inference" | "generate"; // generate
  weights: string; // format of the weights
  kv: string; // format of the cache of keys and values
  context: number; // tokens of a sequence
  prompt_tokens: number; // of these read at once
  concurrency: number; // sequences at the same time
  devices: number; // that share the network
  layers_on_host: number; // that the CPU keeps
  fits: boolean; // it is under the line
  peak_bytes: number; // of one device, context included
  needed_bytes: number; // the same: nothing is cached that could be done without
  allocated_bytes: number; // of that in weights, cache and activations
  memory_bytes: number; // of one device, or as given
  load_line: number; // share of the memory that may be filled
  line_bytes: number; // memory under the line
  shortfall_bytes: number; // by which the line is missed; 0 when it fits
  left_bytes: number; // under the line
  host_bytes: number; // of layers that the CPU keeps
  breakdown: Record<string, number>; // bytes of one device, by what they are
  breaks?: string; // what crosses the line
  kv_bytes_per_token: number; // of one sequence, in all layers
  largest_concurrency: number; // at this context; 0: not one sequence
  largest_context: number; // at this concurrency; 0: not one token
  seconds_per_token?: number; // of each sequence, at the full context
  bound_by?: string; // what sets the pace of a token
  alternatives: ServingAlternative[]; // what would fit, nearest first
  accuracy: ServingAccuracy[]; // how far off such answers have been
  sentences: string[]; // the answer in words
}

export interface Guess {
  name: string; // the class; its number where it has no name
  index: number; // the class's number, from 0
  probability: number;
}

export interface GuessedPicture {
  file: string; // the picture's, or the text
  classes: Guess[]; // the likeliest first
}

export interface HighestLoss {
  epsilon: number; // half width of the box, in units of |w| + 1
  highest_loss: number | null; // that was found in the box; null: it overflowed
  percent: number | null; // by which it is higher than at the weights, of 1 + the loss there
}

export interface JudgedRun {
  part: string; // of the data
  samples: number;
  accuracy: number;
  loss: number | null;
  confusion: number[]; // a row a label, a column a choice
  worst: Mistake[]; // mistakes with the highest loss
}

export interface LanguageModel {
  name: string;
  family: string;
  params: number; // learnable numbers
  summary: string;
}

export interface LanguageModels {
  schema: string;
  models: LanguageModel[];
}

export interface Layer {
  name: string; // of the layer, or of a group of layers
  op: string; // the operation
  output_shape: number[] | null; // of the (last) operation; null where it is not known
  params: number; // learnable numbers that this layer is the first to read
  buffers: number; // other stored numbers
  macs: number; // multiply-accumulates, forward
  flops: number; // arithmetic operations, forward; a multiply-add is two
  activation_bytes: number; // memory of its outputs
  param_bytes: number; // of its parameters
  input_bytes: number; // of what it reads that is no parameter
  output_bytes: number; // of what it writes
  naive_bytes: number; // everything kept
  moved_bytes: number; // read and written
  flops_per_byte: number; // arithmetic intensity
  operations: number; // more than 1 for a group of layers
  certainty: string; // exact, at most, unbounded or unknown
  rounds?: number; // that the units asked for need for its outputs
}

export interface Link {
  name: string;
  title: string;
  bytes_per_second: number; // each way, as data sheets have it
  share: number; // of the rate that collectives reach
  latency_seconds: number; // of one message
  source: string;
}

export interface Links {
  schema: string;
  links: Link[]; // that are known by name
}

export interface ListedRun {
  id: string;
  name: string;
  running: boolean;
  model?: unknown;
  batch?: unknown;
  threads?: unknown;
  planned_bytes?: unknown;
  data?: unknown;
  request?: unknown; // that it was begun with
  begun: number; // seconds since 1970
  ended?: string; // how: finished, interrupted …; absent while it runs, or when it was killed
  accuracy?: number; // of the test, else of the last validation
  step?: number; // the last that was logged
}

export interface LoaderBenchmark {
  cores: number;
  sample_bytes: number; // of one sample on the disk, on average
  knee: number; // the fewest workers within 10 % of the fastest
  drive_bytes_per_second?: number; // as probe measured it
  sentence: string; // the answer in words
  runs: LoaderRun[]; // one for each number of workers
}

export interface LoaderRun {
  loaders: number; // loader workers; 0: the training thread loads
  samples_per_second: number;
  predicted_samples_per_second?: number; // from one worker's rate; absent for 0 and 1
}

export interface MachineLimits {
  machine_cores: number;
  machine_threads: number;
  machine_memory_bytes: number;
  allowed_threads: number; // that affinity and cpuset leave this process
  cgroup_memory_bytes?: number; // where it is less than the machine's
  cgroup_cpus?: number; // where they are fewer than the allowed threads
}

export interface MeasuredBandwidth {
  level: string; // L1, L2, L3 or RAM
  cores: number; // that worked at once
  bytes_per_core: number; // that each of them worked on
  read: number; // bytes per second
  triad: number; // bytes per second: two reads and a write
}

export interface MemoryAccuracy {
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast";
  measured: string; // against what
  rows: number; // measurements
  median_error: number; // share
  largest_error: number; // share
  outside: number; // share of measurements outside low to high
}

export interface MemoryBoundRates {
  sweep: string; // what passes over memory
  at: number[][]; // bytes, GB/s
}

export interface Mistake {
  index: number; // in the part
  sample: string; // its file, or where it is
  label: string;
  chosen: string;
  loss: number | null;
}

export interface Model {
  name: string;
  input: number[]; // shape of one sample
  input_dtype: string;
  classes: number; // outputs of the last layer
  params: number; // learnable numbers
  buffers: number;
  macs: number; // multiply-accumulates of one sample
  flops: number; // arithmetic operations of one sample
  summary: string;
}

export interface Models {
  schema: string;
  models: Model[];
}

export interface ModelsRequest {
  language?: boolean; // list the networks from Hugging Face transformers, by family, instead
}

export interface Move {
  what: string;
  from: string; // disk, ram, cache or device
  to: string; // disk, ram, cache or device
  over: string; // the link
  bytes: number;
  every_step: boolean; // else once
  seconds?: number; // absent where the rate is not known
  epoch_seconds?: number; // of all steps of an epoch
}

export interface NamedBytes {
  name: string; // the operation that makes it
  bytes: number;
}

export interface NoiseScale {
  samples: number | null; // the gradient noise scale
  low: number | null; // 95 %
  high: number | null; // 95 %; null: unknown
  signal: number | null;
  noise: number | null;
  average: number | null; // over the run
  steps: number;
}

export interface PageAnswers {
  schema: string;
  fit: FitAnswer;
  place: PlaceAnswer;
  weigh: WeightAnswer;
}

export interface PartSummary {
  part: string; // train, validation or test
  samples: number;
  counts: number[]; // samples of each class that could be read
  bad: number; // samples that could not be read
  mean?: number[]; // of each channel, with pixels from 0 to 1
  std?: number[]; // the deviation of each channel
  unknown_words?: number; // of texts: share of words that are not in the vocabulary
  bad_samples: string[]; // what is wrong with them, the first thousand
}

export interface PastLine {
  over_memory_bytes: number; // 0 when it stays inside the memory
  paged_bytes_per_step: number; // of a CPU
  paging_seconds_per_step: number; // of a CPU
}

export interface PictureSize {
  width: number;
  height: number;
  count: number; // pictures of this size
}

export interface Place {
  schema: string;
  model: string; // the network
  mode: "train" | "inference" | "generate"; // training or inference
  dtype: string; // number format
  samples: number; // of an epoch, or of the job in inference
  epochs: number;
  load_line: number; // share of the memory that may be filled
  lower_bound: boolean; // something is not counted, so the answer is a lower bound
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  unbounded_operations: number; // in loops without a known end, counted once
  lower_bound_reason?: string; // the same in a sentence
  ranking: Placement[]; // best first
  verdict: Verdict;
  notes: string[]; // what was assumed
  not_placed: string[]; // devices that could not be asked, with the reason
}

export interface PlaceAnswer {
  schema: string; // of this answer
  model: string; // the network
  mode: "train" | "inference" | "generate"; // training or inference
  dtype: string; // number format
  samples: number; // of an epoch, or of the job in inference
  epochs: number;
  load_line: number; // share of the memory that may be filled
  lower_bound: boolean; // something is not counted, so the answer is a lower bound
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  unbounded_operations: number; // in loops without a known end, counted once
  lower_bound_reason?: string; // the same in a sentence
  ranking: Placement[]; // best first
  verdict: Verdict;
  notes: string[]; // what was assumed
  not_placed: string[]; // devices that could not be asked, with the reason
}

export interface PlaceRequest {
  model?: string; // a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face config.json (or its folder) or a .gguf
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  batch?: number; // samples per step on each device (default: the largest under the device's line, at most 256)
  mode?: "train" | "inference" | "generate"; // train, inference, or generate (a language model is served)
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw is the default: adamw, adam, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, lion8bit, muon, momentum or sgd (default: momentum)
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  recompute?: number; // drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if no number is given)
  micro_batches?: number; // split each step into this many parts and add up their gradients, in the memory of one part; batch is the batch of a part (default: 1)
  method?: string; // which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and commas); of a language model also lora:R, qlora:R (4-bit weights), dora:R, each with :TARGETS (q,k,v,o,gate,up,down or all) (default: full; targets q,v)
  checkpointing?: "none" | "full" | "selective"; // recompute the activations of blocks: none, full, or selective (all but matrix products) (default: none)
  logits?: "f32" | "bf16" | "chunked"; // how the loss is computed: f32, bf16, or chunked (fused cross-entropy) (default: f32)
  packing?: boolean; // pack several samples into each sequence; every attention kernel but flash needs a mask for it
  shard?: "none" | "zero1" | "zero2" | "zero3" | "fsdp" | "hsdp"; // what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and gradients), zero3, fsdp (all), hsdp (all, within a node) (default: none)
  offload?: string; // what the host keeps: in training none, optimizer, or all (parameters too); with mode generate the layers that the CPU keeps and computes, a number or all (default: none)
  workers?: number; // devices that share a language model, trained or served (default: those of the device)
  tensor_parallel?: number; // devices that each matrix is split across (default: 1 in training; those of the node in serving)
  pipeline?: number; // stages that the blocks are divided into (default: 1)
  context_parallel?: number; // devices that share every sequence (default: 1)
  expert_parallel?: number; // devices that the experts of a layer are divided over (default: 1)
  context?: number; // with mode generate: tokens of a sequence, prompt and answer together [tokens] (default: 4,096)
  concurrency?: number; // with mode generate: sequences that are served at the same time (default: 1)
  prompt_tokens?: number; // with mode generate: tokens that are read before the first is written [tokens] (default: fit: the whole context; place: 1,024)
  output_tokens?: number; // with mode generate: tokens that are written [tokens] (default: 256)
  weights?: string; // with mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, gptq-int8, int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, q5_0, q5_k_m, q6_k or q8_0 (default: bf16)
  kv?: string; // with mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, q8_0 or q4_0 (default: bf16)
  samples?: number; // samples per epoch; for inference, samples in all (default: 50,000)
  epochs?: number; // number of passes over the samples (default: 1)
  tokens?: number; // tokens that a language model is trained on, e.g. 1e9 [tokens] (default: samples × epochs × sequence)
  price?: number; // price in USD per hour [USD per hour] (default: the catalog's)
  by?: "time" | "money"; // rank by time or by money
  device?: string[] | string; // consider only these devices: names with commas between, 'this' or the path of a device file; may be repeated (default: the whole catalog)
  kind?: ("gpu" | "cpu" | "cloud" | "owned")[] | "gpu" | "cpu" | "cloud" | "owned"; // only devices that are gpu or cpu, cloud (rented instances) or owned; gpu,cloud: both
  framework?: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch on GPUs, else plimsoll)
  layout?: "nchw" | "nhwc"; // memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last)
  compile?: boolean; // predict for torch.compile, which fuses chains of element-wise operations into one kernel
  torch?: string; // PyTorch version, where it matters: 1.12, 2.4 …
  attention?: "flash" | "sdpa" | "eager"; // how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single operations) (default: sdpa, or eager where a file's network writes it out)
  host_cpu?: string; // CPU of the catalog that drives the GPU; it sets the pace at small batches (default: a CPU of the GPU's time)
  load_line?: number; // share of the memory that may be filled
  electricity?: number; // what a kilowatt-hour costs, for devices that are bought [USD per kWh]
  sample_bytes?: number | string; // size of one sample's file on disk, e.g. 110KB [bytes] (default: samples are in memory)
  decode_rate?: number; // images/s that one core decodes and augments [images per second and core] (default: 11 MB/s of files, where a sample's size is given)
  host_cores?: number; // CPU cores for loading (default: those of the device's host)
  disk?: string; // where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate such as 550MB/s; 4xsata@1GB/s: four behind a link of 1 GB/s (default: sata)
  loaders?: number; // loader workers (default: one per host core)
  top?: number; // rows to show
  accuracy?: boolean; // show how far predicted step times have been from measured ones
}

export interface PlaceServing {
  schema: string;
  model: string; // the network
  mode: "train" | "inference" | "generate"; // generate
  weights: string; // format of the weights
  kv: string; // format of the cache of keys and values
  prompt_tokens: number; // that are read before the first is written
  output_tokens: number; // that are written
  concurrency: number; // sequences at the same time
  load_line: number; // share of the memory that may be filled
  ranking: ServingPlacement[]; // best first
  verdict: ServingVerdict;
  notes: string[]; // what was assumed, and how far off such answers have been
  not_placed: string[]; // devices that could not be asked, with the reason
}

export interface Placement {
  device: string; // its name
  kind: string; // of what computes: cpu or gpu
  devices: number; // how many it has
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // that runs it there
  fits: boolean; // the batch is under its line
  batch: number; // of one device, in one pass
  peak_bytes: number; // memory of one device
  step_seconds: number; // of one step
  step_range?: StepRange; // how far off such a prediction was; absent where nothing like it was measured
  epoch_seconds: number; // of all samples once
  total_seconds: number; // of the job
  samples_per_second: number;
  cost: number | null; // of the job in USD; null without a price
  electricity: number | null; // of the job in USD, beside the cost; null where it is rented or its power is not known
  cost_per_million: number | null; // samples, in USD
  price: string | null; // what it stands on
  bound_by: string; // what sets the pace
  stages: Stages;
  latency_seconds?: number; // of one sample, in inference
  memory?: string; // where the device's memory is not known
  loading?: string; // how fast samples come, in a sentence
  host_cores?: number; // that decode
  host_cores_basis?: string; // how they are known
  why_not?: string; // when it cannot be placed or does not fit
}

export interface Plan {
  devices: number;
  dp: number; // copies of the network
  tp: number; // devices that share every layer
  pp: number; // stages
  cp: number; // devices that share every sequence
  ep: number; // devices that the experts are divided over
  shard: "none" | "zero1" | "zero2" | "zero3" | "fsdp" | "hsdp"; // none, zero1, zero2, zero3, fsdp or hsdp
  offload: "none" | "optimizer" | "all"; // none, optimizer or all
  checkpointing: "none" | "full" | "selective"; // none, selective or full
  micro_batch: number; // samples of a device in one pass
  micro_batches: number; // passes of a step
}

export interface Predict {
  schema: string;
  checkpoint: string; // the file
  step: number; // after which it was saved
  images: GuessedPicture[]; // in the order they were given
  written?: WrittenText; // by a language model, with a prompt
}

export interface PredictRequest {
  checkpoint: string; // a run's folder, or a checkpoint's .json or .safetensors file, or an exported .onnx
  image?: string[] | string; // JPEG, PNG, WebP or BMP files; for a network that reads text, the texts themselves, in quotes
  top?: number; // how many classes to show for each
  prompt?: string; // text for a language model to continue, in quotes
  tokens?: number; // with prompt: write at most this many tokens [tokens]
  temperature?: number; // with prompt: below 1, likely tokens become likelier; 0 takes the likeliest
  top_k?: number; // with prompt: draw from this many of the likeliest tokens; 0: from all
  seed?: number; // with prompt: seed of the tokens that are drawn
  threads?: number; // threads per step on this machine (default: as in training)
  conv?: "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory) (default: as in training)
  backend?: string; // onednn or reference (default: as in training)
  device?: string; // where steps are computed: cpu, cuda:N (an NVIDIA GPU, through the installed PyTorch) or torch:cpu (the same path on the processor) (default: as in training)
  compute?: string; // format of products and convolutions on cuda:N and torch:cpu: f32, tf32 (GPUs), bf16 or f16, and channels-last, which may follow another after a comma (default: as in training)
}

export interface Price {
  usd: number;
  date: string; // of the price
}

export interface Probe {
  schema: string;
  date: string; // of the measurement
  quick: boolean;
  seconds: number; // that it took
  kept_in: string; // the file
  cpu: string;
  cores: number; // that this process may use
  threads: number; // that this process may use
  memory_bytes: number; // that this process may use
  limits: MachineLimits; // the whole machine, and what this process gets of it
  peak: Record<string, number>; // operations per second of all cores, by number format
  core_peak: Record<string, number>; // operations per second of one core, by number format
  instruction_sets: Record<string, string>; // that they were measured with
  bandwidth: MeasuredBandwidth[]; // of each level of memory
  fresh_bandwidth: number; // bytes a second of memory at its first touch
  conv_rates: ConvRates[]; // of convolutions, by our engine
  sweep_rates: MemoryBoundRates[]; // of what only passes over memory, by our engine
  caches: Caches;
  disk: DiskSpeed;
  decode_rate: number; // images per second of one core
  decode_rate_augmented: number; // the same, augmented too
  decode_rate_python: number; // the same by a loader in Python, predicted
  picture: DecodedPicture; // that was decoded
  notes: string[]; // limits, and what makes the figures doubtful
}

export interface ProbeRequest {
  device?: string; // what is measured: cpu (this machine), or through PyTorch cuda:N (an NVIDIA GPU) or torch:cpu
  quick?: boolean; // take about five seconds: fewer repetitions, a coarser grid
  out?: string; // keep the result in this file (default: where later calls look for it)
}

export interface ProbedProduct {
  format: string;
  flops_per_second: number;
}

export interface Profile {
  step_seconds: number; // of a step with every operation timed
  outside_seconds: number; // of it between operations
  kinds: ProfileLine[]; // the longest first
}

export interface ProfileLine {
  kind: string; // of operation
  operations: number; // of this kind in a step
  seconds: number; // that they take in a step
  predicted_seconds: number | null; // null: this machine has not been probed
  share: number; // of the timed step
  flops: number; // convolutions counted directly
  moved_bytes: number; // read and written
}

export interface Range {
  low: number; // bytes
  high: number; // bytes
}

export interface Report {
  schema: string;
  file: string; // that was written
  networks: unknown[];
  runs: RunReport[];
}

export interface ReportFile {
  schema: string;
  html: string; // the whole file
}

export interface ReportRequest {
  subject: string[] | string; // networks (zoo names, model files) and folders of runs
  output?: string; // the file to write
  device?: string[] | string; // devices to choose from, whose load lines are drawn over the batch; memory and roofline are those of the first (default: this machine)
  batch?: number; // samples per step (default: the largest under the line)
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  mode?: "train" | "inference" | "generate"; // train, inference, or generate (a language model is served)
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw is the default: adamw, adam, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, lion8bit, muon, momentum or sgd (default: momentum)
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  recompute?: number; // drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if no number is given)
  micro_batches?: number; // split each step into this many parts and add up their gradients, in the memory of one part; batch is the batch of a part (default: 1)
  method?: string; // which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and commas); of a language model also lora:R, qlora:R (4-bit weights), dora:R, each with :TARGETS (q,k,v,o,gate,up,down or all) (default: full; targets q,v)
  checkpointing?: "none" | "full" | "selective"; // recompute the activations of blocks: none, full, or selective (all but matrix products) (default: none)
  logits?: "f32" | "bf16" | "chunked"; // how the loss is computed: f32, bf16, or chunked (fused cross-entropy) (default: f32)
  packing?: boolean; // pack several samples into each sequence; every attention kernel but flash needs a mask for it
  shard?: "none" | "zero1" | "zero2" | "zero3" | "fsdp" | "hsdp"; // what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and gradients), zero3, fsdp (all), hsdp (all, within a node) (default: none)
  offload?: string; // what the host keeps: in training none, optimizer, or all (parameters too); with mode generate the layers that the CPU keeps and computes, a number or all (default: none)
  workers?: number; // devices that share a language model, trained or served (default: those of the device)
  tensor_parallel?: number; // devices that each matrix is split across (default: 1 in training; those of the node in serving)
  pipeline?: number; // stages that the blocks are divided into (default: 1)
  context_parallel?: number; // devices that share every sequence (default: 1)
  expert_parallel?: number; // devices that the experts of a layer are divided over (default: 1)
  context?: number; // with mode generate: tokens of a sequence, prompt and answer together [tokens] (default: 4,096)
  concurrency?: number; // with mode generate: sequences that are served at the same time (default: 1)
  prompt_tokens?: number; // with mode generate: tokens that are read before the first is written [tokens] (default: fit: the whole context; place: 1,024)
  output_tokens?: number; // with mode generate: tokens that are written [tokens] (default: 256)
  weights?: string; // with mode generate: format of the weights: f32, bf16, f16, fp8, int8, int4, awq, gptq, gptq-int8, int4-g32, nf4, mxfp4, nvfp4, q2_k, q3_k_m, q4_0, q4_1, q4_k_s, q4_k_m, iq4_xs, q5_0, q5_k_m, q6_k or q8_0 (default: bf16)
  kv?: string; // with mode generate: format of the cache of keys and values: bf16, f16, f32, fp8, int8, q8_0 or q4_0 (default: bf16)
  samples?: number; // samples per epoch, for the ranking (default: 50,000)
  epochs?: number; // epochs, for the ranking (default: 1)
  tokens?: number; // tokens that a language model is trained on, e.g. 1e9 [tokens] (default: samples × epochs × sequence)
  price?: number; // price in USD per hour [USD per hour] (default: the catalog's)
  framework?: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch on GPUs, else plimsoll)
  layout?: "nchw" | "nhwc"; // memory layout of images in PyTorch on a GPU: nchw, or nhwc (channels last)
  compile?: boolean; // predict for torch.compile, which fuses chains of element-wise operations into one kernel
  torch?: string; // PyTorch version, where it matters: 1.12, 2.4 …
  attention?: "flash" | "sdpa" | "eager"; // how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single operations) (default: sdpa, or eager where a file's network writes it out)
  load_line?: number; // share of the memory that may be filled
  no_judging?: boolean; // for runs: use their logs only, without evaluating them on their data
}

export interface Residence {
  disk_bytes: number;
  ram_bytes: number;
  device_bytes: number; // 0 on a CPU, whose device memory is RAM
  cache_bytes?: number; // the last level's size, where it is known
  residents: Resident[]; // what is where
  moves: Move[]; // what is moved, over what and for how long
  remarks: string[];
}

export interface Resident {
  what: string;
  disk_bytes?: number;
  ram_bytes?: number;
  cache_bytes?: number;
  device_bytes?: number;
}

export interface RunList {
  schema: string;
  folder: string;
  runs: ListedRun[];
  sets?: TrainingSet[]; // that trainings of the page may read; absent where it may start none
  started?: StartedTraining; // the last training that was started from the page
}

export interface RunReport {
  run_dir: string;
  config: unknown; // as the run keeps it
  log: unknown[]; // its lines
  judged: JudgedRun | null; // its best weights on its data; null where that is not there
  not_judged: string | null; // why
}

export interface RunSharpness {
  run: string; // as it was named
  model: string; // the network
  data: string; // the dataset
  batch: number; // samples per step in training, of all workers
  step: number; // after which the checkpoint was saved
  samples: number; // over which the loss is averaged
  loss: number | null; // at the trained weights
  sharpness: HighestLoss[]; // one entry for each epsilon
  positions: number[]; // along each direction, in lengths of the filters
  losses_along: ((number | null)[])[]; // one list for each direction
}

export interface SampleType {
  dtype: string; // number format
  shape: number[]; // of one sample
}

export interface Scale {
  schema: string;
  model: string; // the network
  device: string;
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast";
  dtype: string; // number format
  optimizer: string;
  exchange: "all-reduce" | "one-process"; // how gradients are exchanged
  wiring: Wiring;
  samples: number; // of an epoch
  epochs: number;
  reference_batch: number; // at which the epochs reach the loss
  critical_batch: number | null;
  steps_are: string;
  price: string | null; // what it stands on
  lower_bound: boolean; // something is not counted, so the answer is a lower bound
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  unbounded_operations: number; // in loops without a known end, counted once
  lower_bound_reason?: string; // the same in a sentence
  runs: ScaleRun[]; // as asked
  knee: ScaleRun | null; // null when the steps to the same loss are not known
  recommendation: ScaleAdvice | null;
  if_critical_batch: SupposedScale[]; // the answer for a range of critical batches
  verdict: ScaleVerdict;
  notes: string[]; // what was assumed
}

export interface ScaleAdvice {
  workers: number;
  batch: number; // of a worker
  global_batch: number; // of a step
  learning_rate: number | null; // null when that at the reference batch is not given
  learning_rate_factor: number; // over the rate at the reference batch
  learning_rate_rule: "linear" | "sqrt" | "none";
  warm_up_steps: number;
  run: ScaleRun;
}

export interface ScaleRequest {
  model?: string; // a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face config.json (or its folder) or a .gguf
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  device?: string; // device of each worker, or a node of several: a name, 'this' or the path of a device file
  workers?: number[] | number | string; // numbers of workers: 1,2,4,8, or 1..1024 to double each time
  batch?: number; // samples per step on each worker (default: the one that finishes first where the critical batch is known, else the largest under the line, at most 256)
  global_batch?: number; // samples per step of all workers together
  link?: string; // link between workers, or between nodes with per_node: pcie3, pcie4, pcie5, nvlink1, nvlink2, nvlink3, nvlink4, nvlink5, 1gbe, 10gbe, 25gbe, 40gbe, 100gbe, 200gbe, 400gbe, ib-fdr, ib-edr, ib-hdr, ib-ndr, or your own figures as 25Gbit/s:30us (links lists them) (default: the device's own)
  per_node?: number; // workers per node, connected by inside (default: as many as it has)
  inside?: string; // link between the workers of a node (default: the device's own link)
  exchange?: "all-reduce" | "one-process"; // all-reduce (one process per worker) or one-process (PyTorch's DataParallel, one host)
  wire?: "f32" | "bf16" | "f16"; // number format in which gradients are sent: f32, bf16 or f16 (default: as computed)
  bucket?: number | string; // size of the buckets in which gradients are sent [bytes] (default: the framework's, 25MiB)
  samples?: number; // samples per epoch (default: 50,000)
  epochs?: number; // epochs that reach the loss at the reference batch (default: 1)
  tokens?: number; // tokens that a language model is trained on, e.g. 1e9 [tokens] (default: samples × epochs × sequence)
  price?: number; // price of the named device in USD per hour [USD per hour] (default: the catalog's)
  reference_batch?: number; // batch at which epochs reach the loss (default: one worker's batch)
  critical_batch?: number | string; // batch at which training needs twice the minimum of both steps and samples; or a range, 800-1200
  noise_scale?: string; // gradient noise scale of a run, or the run's folder; used as the critical batch
  lr?: number; // learning rate at the reference batch
  scale_lr?: "linear" | "sqrt" | "none"; // how the learning rate grows with the batch: linear, sqrt or none (default: linear for SGD, sqrt for Adam and its variants)
  deadline?: number | string; // recommend the cheapest setup that finishes in this time, e.g. 8h [seconds]
  budget?: number; // recommend the fastest setup that costs no more than this [USD]
  by?: "knee" | "time" | "money"; // without a deadline or budget: recommend by knee (time × money), time or money
  mode?: "train" | "inference" | "generate"; // train, inference, or generate (a language model is served)
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude; for language models on GPUs, where adamw is the default: adamw, adam, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, lion8bit, muon, momentum or sgd (default: momentum)
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  recompute?: number; // drop activations and recompute them in the backward pass, up to this share of the forward pass (0.35 if no number is given)
  micro_batches?: number; // split each step into this many parts and add up their gradients, in the memory of one part; batch is the batch of a part (default: 1)
  method?: string; // which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and commas); of a language model also lora:R, qlora:R (4-bit weights), dora:R, each with :TARGETS (q,k,v,o,gate,up,down or all) (default: full; targets q,v)
  checkpointing?: "none" | "full" | "selective"; // recompute the activations of blocks: none, full, or selective (all but matrix products) (default: none)
  logits?: "f32" | "bf16" | "chunked"; // how the loss is computed: f32, bf16, or chunked (fused cross-entropy) (default: f32)
  packing?: boolean; // pack several samples into each sequence; every attention kernel but flash needs a mask for it
  shard?: "none" | "zero1" | "zero2" | "zero3" | "fsdp" | "hsdp"; // what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and gradients), zero3, fsdp (all), hsdp (all, within a node) (default: none)
  offload?: string; // what the host keeps: in training none, optimizer, or all (parameters too); with mode generate the layers that the CPU keeps and computes, a number or all (default: none)
  tensor_parallel?: number; // devices that each matrix is split across (default: 1 in training; those of the node in serving)
  pipeline?: number; // stages that the blocks are divided into (default: 1)
  context_parallel?: number; // devices that share every sequence (default: 1)
  expert_parallel?: number; // devices that the experts of a layer are divided over (default: 1)
  attention?: "flash" | "sdpa" | "eager"; // how PyTorch computes attention: flash or sdpa (one kernel, scores are never written), or eager (single operations) (default: sdpa, or eager where a file's network writes it out)
  search?: boolean; // for a language model: search for the best division of the devices, sharding and recomputation
  framework?: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // framework whose memory and time are predicted: plimsoll, pytorch, tensorflow, hf, vllm, llama.cpp or gpt-fast (default: pytorch on GPUs, else plimsoll)
  threads?: number; // threads per worker on a CPU (default: all)
  load_line?: number; // share of the memory that may be filled
  sample_bytes?: number | string; // size of one sample's file on disk, e.g. 110KB [bytes] (default: samples are in memory)
  decode_rate?: number; // images/s that one core decodes and augments [images per second and core] (default: 11 MB/s of files, where a sample's size is given)
  host_cores?: number; // CPU cores for loading (default: those of the device's host)
  disk?: string; // where samples and model are: hdd (150.0 MB/s), sata (550.0 MB/s), nvme (3.500 GB/s), nvme4 (7.000 GB/s), network (117.7 MB/s), network10 (1.177 GB/s), or a rate such as 550MB/s; 4xsata@1GB/s: four behind a link of 1 GB/s (default: sata)
  loaders?: number; // loader workers (default: one per host core)
  jitter?: number; // share by which a worker's compute time varies from step to step, e.g. 0.02; all wait for the slowest
  shared_disk?: boolean; // all nodes share one disk, instead of one each
  accuracy?: boolean; // show how far predictions have been from published measurements
  links?: boolean; // list the known links, with their figures and sources
}

export interface ScaleRun {
  workers: number;
  nodes: number;
  batch: number; // of a worker, in one pass
  global_batch: number; // of a step
  fits: boolean; // each worker's memory carries it
  peak_bytes: number; // memory of a worker
  step_seconds: number;
  compute_seconds: number; // of a worker by itself
  straggling_seconds: number; // by which the slowest takes longer
  communication_seconds: number; // if nothing overlapped
  exposed_seconds: number; // of communication that the step waits for
  hidden: number; // share of communication that nobody waits for
  waiting_seconds: number; // for samples
  gradient_bytes: number; // on the wire
  buckets: number; // gradients that are sent together
  all_reduce: string; // how gradients are added up
  images_per_second: number;
  efficiency: number; // against as many workers that each run as fast as one alone
  bound_by: string;
  steps: number;
  samples: number;
  epochs: number;
  total_seconds: number;
  cost: number | null; // in USD; null without a price
}

export interface ScaleVerdict {
  choice: number | null; // how many workers; null: open
  aim_met: boolean; // deadline and budget
  reasons: string[];
}

export interface Serve {
  schema: string;
  address: string; // with the token
  port: number;
}

export interface ServingAccuracy {
  what: string; // was predicted
  rows: number; // published runs that it was compared with
  median_error: number; // as a share of the measurement
}

export interface ServingAlternative {
  change: string; // what would be changed
  concurrency: number; // sequences at the same time then
  context: number; // tokens of a sequence then
  peak_bytes: number; // of one device
  seconds_per_token: number | null; // of each sequence; null where it is not predicted
}

export interface ServingPlacement {
  device: string; // its name
  kind: string; // of what computes: cpu or gpu
  devices: number; // that share the network
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // that serves it there
  fits: boolean; // it is under its line
  peak_bytes: number; // memory of one device
  shortfall_bytes: number; // by which the line is missed
  largest_concurrency: number; // of such sequences
  seconds_to_first_token: number; // the prompt, alone, and a step of the others
  seconds_per_token: number; // of each sequence
  tokens_per_second: number; // that all sequences get, prompts of those that follow included
  tokens_per_second_each: number; // that one sequence gets while it is written
  prompt_tokens_per_second: number; // that are read, alone
  cost_per_million_tokens: TokenPrice | null; // in USD; null without a price
  price: string | null; // what it stands on
  bound_by: string; // what sets the pace of a token
  bytes_per_step: number; // that are read
  memory?: string; // where the device's memory is not known
  breaks?: string; // what crosses the line
}

export interface ServingVerdict {
  choice: string; // the name of a device; empty when nothing fits
  kind: string; // gpu or cpu; empty when nothing fits
  reasons: string[];
}

export interface Sharpness {
  schema: string;
  runs: RunSharpness[]; // in the order they were given
}

export interface SharpnessRequest {
  run: string[] | string; // folders of runs, or checkpoints
  epsilon?: number[] | number; // half width of the box around each weight w, in units of |w| + 1; one or several
  samples?: number; // samples of the training set over which the loss is averaged
  steps?: number; // uphill steps in search of the highest loss in the box
  directions?: number; // random directions along which the loss is taken
  points?: number; // points along each direction
  span?: number; // how far to go to either side, in units of each filter's norm
  batch?: number; // samples at a time; does not affect the result
  seed?: number; // seed of the directions and of the search's start
  threads?: number; // threads per step on this machine (default: as in training)
  conv?: "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory) (default: as in training)
}

export interface Source {
  title: string;
  date: string;
}

export interface Stages {
  disk_seconds: number; // of one batch
  decode_seconds: number; // of one batch
  transfer_seconds: number; // of one batch
  compute_seconds: number; // of one batch
  step_seconds: number; // of all stages together
  bound_by: string; // what sets the pace
  busy: number; // share of the step in which the device computes
}

export interface StartedRun {
  schema: string;
  run: string; // the name of its folder
}

export interface StartedTraining {
  run: string; // the name of its folder
  alive: boolean;
  failed: string; // why it ended, where it did not train; may be empty
}

export interface Step {
  schema: string;
  model: string; // the network
  device: string;
  batch: number; // samples a step
  peak_flops_per_second?: number; // of the device; absent where it is not known
  bytes_per_second?: number; // of its memory; absent where it is not known
  operations: StepOperation[]; // in order
}

export interface StepOperation {
  name: string;
  kind: string; // of work
  phase: string; // forward, loss, backward or update
  seconds?: number; // as predicted; absent where the device's speed is not known
  flops: number;
  moved_bytes: number; // read and written
  alive_bytes: number[]; // of parameters, gradients, optimizer, activations and input, in this order
  tensor: string; // the largest that it writes
  tensor_bytes: number;
}

export interface StepRange {
  low: number; // seconds; one of ten such steps was quicker
  high: number; // seconds; one of ten such steps was slower
  median_error: number; // share
  rows: number; // measurements that took no part in the fit
  measured: string; // of what
}

export interface SupposedScale {
  critical_batch: number; // if it were this
  recommendation: ScaleAdvice | null; // null: nothing meets the aim
  knee: ScaleRun; // where time and money meet
}

export interface Sweep {
  schema: string;
  model: string; // the network
  data: string; // the dataset
  folder: string; // where the sweep is kept
  goal_loss: number | null; // the training loss to which steps are counted
  points: SweepPoint[]; // one for each run
  critical_batch: CriticalBatch | null; // null: not asked for, or it does not follow from the steps
}

export interface SweepPoint {
  batch: number; // samples per step, of all micro-batches and workers
  learning_rate: string | null; // a number as text; null: the optimizer's usual one
  seed: string | null; // a number as text; null: the usual one
  run_dir: string;
  diverged: boolean; // its loss is no longer a number
  steps: number; // of the whole run
  train_loss: number | null; // of the last epoch; null: it diverged
  train_accuracy: number | null; // of the last epoch; null: it diverged
  val_loss: number | null; // of the last epoch
  val_accuracy: number | null; // of the last epoch
  test_accuracy: number | null; // null without a test part
  images_per_second: number; // the mean over the epochs
  steps_to_goal: number | null; // null: not asked for, or not reached
}

export interface SweepRequest {
  model?: string; // a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face config.json (or its folder) or a .gguf
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  batch?: number[] | number; // samples per step, one run for each: 32,256,2048
  micro_batches?: number; // add up the gradients of N batches of batch samples before each update, in the memory of one (default: 1)
  data?: string; // fashion-mnist, mnist, cifar10, catsdogs, debian-sections, king-james, or the path of a file or folder; for language models text (.txt, .jsonl)
  loaders?: number; // loader workers; 0: the training thread loads (default: one per core, at most 8)
  validation?: number; // share of the training set that is kept for validation
  normalise?: "none" | "scale" | "standard"; // how to scale samples: none, scale (divide by 255) or standard (then mean 0, deviation 1 for each channel) (default: scale; standard with mean)
  mean?: number[] | number; // mean of each channel after dividing by 255, e.g. 0.49,0.48,0.45 (default: the training set's)
  std?: number[] | number; // with mean: the deviation of each channel
  augment?: string; // how to change training pictures at random: flip,shift:4,rotate:15,zoom:0.1,shear:0.1
  tokenizer?: string; // tokenizer of a language model's text: bytes, bpe:N (N byte pairs learnt from it) or a tokenizer.json (default: the one beside a config.json, else bpe:4096)
  bad_samples?: string; // what to do about samples that cannot be read: stop, skip (at most 100 an epoch), or skip:N
  epochs?: number; // passes over the training set
  max_steps?: number; // stop after N steps, those before resume included
  early_stop?: number; // stop after N epochs without a better validation result; keep the best epoch's weights
  monitor?: "accuracy" | "loss"; // what decides which epoch is better: accuracy or loss (default: accuracy; loss for language models)
  save_best?: boolean; // keep the best epoch's weights and use them at the end
  on_nan?: "stop" | "skip" | "reload"; // when the loss is not a number: stop, skip the update, or reload the last checkpoint
  seed?: number[] | number; // seeds of weights, order, augmentation and dropout, one run for each: 0,1,2 (default: 0)
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude (default: momentum)
  lr?: number[] | number; // learning rates, one run for each: 0.01,0.1 (default: 0.01; 0.001 for adam, adamw, rmsprop, lamb; 0.0001 for lion)
  schedule?: string; // how the learning rate changes: constant, cosine, poly[:POWER] or step[:EPOCHS[:FACTOR]] (by default to a tenth after each third)
  warmup?: string; // steps over which the learning rate rises to lr, or epochs: 500, 5epochs
  warmup_from?: "zero" | "workers"; // where the warm-up begins: zero, or workers (the rate divided by their number) (default: workers with scale_lr, else zero)
  scale_lr?: "linear" | "sqrt" | "none"; // how lr grows with the number of workers: linear, sqrt or none
  weight_decay?: number; // how strongly weights are pulled towards zero
  momentum?: number; // share of the last update that is kept, for momentum, nesterov and lars (default: 0.9)
  label_smoothing?: number; // share of each target that is spread over all classes
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  batchnorm?: string; // samples that batch norms take their statistics over: local (each worker's batch), sync (all workers'), ghost:32 (groups of 32)
  renew_norms?: number; // after training, recompute the statistics of batch norms over N batches; needed after few, large steps
  device?: string; // where steps are computed: cpu, cuda:N (an NVIDIA GPU, through the installed PyTorch) or torch:cpu (the same path on the processor)
  compute?: string; // format of products and convolutions on cuda:N and torch:cpu: f32, tf32 (GPUs), bf16 or f16, and channels-last, which may follow another after a comma
  threads?: number; // threads per step on this machine (default: one per core)
  conv?: "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory)
  backend?: string; // onednn or reference (slow, exact) (default: onednn)
  memory?: number | string; // memory that the run may use [bytes] (default: this machine's, or its container's)
  load_line?: number; // share of the memory that may be filled
  np?: number; // number of workers, started through mpirun; batch is for each of them (also -np) (default: 1)
  hosts?: string; // machines, each with its number of workers: a:4,b:4 (default: this one)
  wire?: "f32" | "bf16" | "f16"; // number format in which workers exchange gradients: f32, bf16 or f16; the rounding error is reported (default: f32)
  same_batches?: boolean; // give all workers the same samples, to show what a run that forgot to divide them is worth
  max_restarts?: number; // how many times to restart a run that lost a worker, from its last checkpoint
  silence?: number; // consider a worker lost after this many seconds without a sign of life [seconds]
  run_dir?: string; // where the sweep is kept (default: sweeps/MODEL)
  resume?: boolean; // not needed: a sweep that is run again continues where it stopped
  save_every?: string; // how often to save a checkpoint within an epoch: 10min, 90s, 200steps (default: 10min)
  goal_loss?: number; // count the steps until the training loss is at most this, and find the critical batch
}

export interface Tensor {
  name: string;
  shape?: number[]; // absent: a workspace, or the fixed part
  dtype?: string; // number format
  bytes: number;
}

export interface TimelineParts {
  tensors: number[]; // bytes of tensors alive during each operation
  workspace: number[]; // bytes of scratch memory, and what an allocator rounds up to
  fixed: number; // bytes that are taken all the time
}

export interface TokenAlternative {
  change: string; // what would be changed
  fits: boolean; // with the batch that was asked for, else with one sample
  batch: number; // the largest micro-batch under the line then
  needed_bytes: number; // then
  devices: number;
  slowdown: number | null; // a device's time for a token compared with the present setup; null where it is not predicted
}

export interface TokenFit {
  schema: string;
  model: string; // the network
  device?: string; // absent when a size of memory was given
  framework: "plimsoll" | "pytorch" | "tensorflow" | "hf" | "vllm" | "llama.cpp" | "gpt-fast"; // whose memory it is
  mode: "train" | "inference" | "generate"; // training
  dtype: string; // number format
  optimizer: string;
  method: string; // what is trained
  attention: "flash" | "sdpa" | "eager";
  logits: "f32" | "bf16" | "chunked"; // how the loss computes
  sequence: number; // tokens of a sample
  params: number; // of the network
  trainable_params: number; // adapters or the network's own
  batch: number; // the micro-batch that was asked for, else the largest under the line; 0: none is
  fits: boolean; // that batch is under the line
  largest_batch: number; // under the line; 0: not even one sample
  largest_sequence: number; // tokens under the line, at the batch that was asked for, else at 1
  peak_bytes: number; // reserved where there is room, with the context
  needed_bytes: number; // to run at all, with nothing cached; decides what fits
  reserved_bytes: number; // of the peak by the framework's allocator, without the context
  allocated_bytes: number; // of that in tensors and scratch memory
  range: Range; // what the peak may be
  memory_bytes: number; // of one device, or as given
  load_line: number; // share of the memory that may be filled
  line_bytes: number; // memory under the line
  shortfall_bytes: number; // by which the line is missed; 0 when it fits
  smallest_memory_bytes: number; // that would carry this batch
  breakdown: Record<string, number>; // bytes at the peak, by what they are
  largest_tensor: NamedBytes; // of the step
  breaking_tensor?: NamedBytes; // whose allocation crosses the line
  peak_operation: string; // during which memory is fullest
  kept_bytes?: number; // that autograd keeps for the backward pass; absent with checkpointing and over several devices
  plan: Plan; // how the training is divided
  tokens_per_second?: number; // of all devices; absent without a device
  mfu?: number; // share of the peak that products take
  alternatives: TokenAlternative[]; // what would carry more: those that fit first, the quickest first
  sentences: string[]; // the answer in words
}

export interface TokenKernel {
  name: string; // of the first of those that are alike
  kind: string; // of work
  phase: string; // forward or backward
  count: number; // operations that are alike
  seconds: number; // of all of them in a micro-batch, as predicted
  flops: number; // of all of them
  moved_bytes: number; // read and written by all of them
}

export interface TokenMoment {
  name: string;
  phase: string; // forward, backward or update
  bytes: number[]; // in memory when it is fullest, in the order of the parts
}

export interface TokenPlace {
  schema: string;
  model: string; // the network
  mode: "train" | "inference" | "generate"; // training
  dtype: string; // number format
  method: string; // what is trained
  sequence: number; // tokens of a sample
  tokens: number; // of the job
  load_line: number; // share of the memory that may be filled
  ranking: TokenPlacement[]; // best first
  verdict: TokenVerdict;
  notes: string[]; // what was assumed
  not_placed: string[]; // devices that could not be asked, with the reason
}

export interface TokenPlacement {
  device: string; // its name
  kind: string; // of what computes: cpu or gpu
  devices: number; // that share the training
  fits: boolean; // the micro-batch is under its line
  batch: number; // micro-batch of one device
  needed_bytes: number; // memory of one device
  peak_bytes: number; // where there is room
  plan: Plan; // how the training is divided
  step_seconds: number; // of one step
  tokens_per_second: number; // of all devices
  mfu?: number; // share of the peak that products take
  peak_flops: number; // operations per second of one device, which mfu is a share of
  peak_format: string; // of that peak
  total_seconds: number; // of the job
  cost: number | null; // of the job in USD; null without a price
  cost_per_million_tokens: number | null; // in USD
  price: string | null; // what it stands on
  bound_by: string; // what most of the step goes to
  why_not?: string; // when it does not fit
}

export interface TokenPrice {
  input: number; // a million tokens that are read, in USD
  output: number; // a million tokens that are written, in USD
}

export interface TokenRun {
  workers: number; // devices
  fits: boolean;
  plan: Plan; // how the training is divided
  needed_bytes: number; // memory of one device
  step_seconds: number;
  step_tokens: number; // of all devices
  tokens_per_second: number; // of all devices
  mfu?: number; // share of the peak that products take
  efficiency: number; // tokens a second of a device against those of the smallest number of devices
  bubble_seconds: number; // of a pipeline, of a step
  exposed_seconds: number; // exchange of parameters and gradients that nothing hides
  total_seconds: number; // of the job
  cost: number | null; // of the job in USD; null without a price
  bound_by: string; // what most of the step goes to
  plans_tried: number; // of a search
  plans_fitting: number; // of a search
  others: TokenPlacement[]; // of a search: the next best
  why_not?: string; // when nothing fits
}

export interface TokenScale {
  schema: string;
  model: string; // the network
  device: string;
  dtype: string; // number format
  method: string; // what is trained
  sequence: number; // tokens of a sample
  tokens: number; // of the job
  searched: boolean; // plans were looked for
  runs: TokenRun[]; // one for each number of devices
  reasons: string[];
  notes: string[]; // what was assumed
}

export interface TokenStep {
  schema: string;
  model: string; // the network
  device: string;
  batch: number; // samples of a micro-batch
  peak_flops_per_second?: number; // of the device; absent where it is not known
  bytes_per_second?: number; // of its memory; absent where it is not known
  parts: string[]; // of the memory, by name
  moments: TokenMoment[]; // in order; the largest sum is the peak
  kernels?: TokenKernel[]; // by operations that are alike; absent where the device's speed is not known
}

export interface TokenVerdict {
  choice: string; // the name of a device; empty when nothing fits
  reasons: string[];
}

export interface Train {
  schema: string;
  model: string; // the network
  data: string; // the dataset
  backend: string; // that runs it
  threads: number; // of each worker
  loaders: number; // loader workers
  parameters: number; // learnable numbers
  train_samples: number;
  validation_samples: number;
  test_samples: number;
  classes: number;
  batch: number; // of a worker, in one pass
  micro_batches: number; // of a step
  workers: number;
  global_batch: number; // samples per step of all workers
  steps_per_epoch: number;
  optimizer: string;
  learning_rate: number;
  schedule: string;
  seed: number;
  planned_bytes: number; // memory of a worker
  memory_bytes: number; // that a worker may count on
  load_line: number; // share of it that may be filled
  line_bytes: number; // memory under the line
  checkpoint_bytes: number; // most room that checkpoints take
  reorders: number; // changes of layout in a step
  conv_methods: Record<string, number>; // how many convolutions are computed how
  by_reference: string[]; // operations without a fast kernel
  declined: Declined[]; // why operations did not get the kernel that is asked first
  evaluation_by_reference: string[]; // the same in evaluations
  predicted_step_seconds: number | null; // null: this machine has not been probed
  fits: boolean; // yes
  epochs: Epoch[]; // one entry an epoch
  test_accuracy: number | null; // null without a test part
  test_loss: number | null;
  test_perplexity?: number; // of a language model
  steps: number; // of the whole run
  peak_bytes: number; // of the largest worker's process
  worker_peak_bytes: number[];
  step_seconds: number; // the mean, without waiting for data
  predicted_seconds: number | null; // of this process's steps
  train_seconds: number;
  seconds: number; // of this process
  waited_seconds: number; // for data
  others_share: number; // of the processors that other programs had
  communication_seconds: number;
  exposed_communication_seconds: number; // that steps waited for
  hidden_communication: number | null; // share
  wire: Wire | null;
  straggler: string | null;
  noise_scale: NoiseScale | null;
  trust_ratios: TrustRatio[] | null; // of the last update, with LARS and LAMB
  ended: string; // finished, max-steps, early-stop, interrupted, terminated or not-finite
  why: string;
  best_epoch: number | null;
  restored_best: boolean;
  saved: boolean; // the last checkpoint is that of the last step
  skipped_samples: number;
  skipped_updates: number;
  run_dir: string;
  report: string | null; // the file; null when it could not be written
}

export interface TrainRefusal {
  schema: string;
  model: string; // the network
  data: string; // the dataset
  backend: string; // that runs it
  threads: number; // of each worker
  loaders: number; // loader workers
  parameters: number; // learnable numbers
  train_samples: number;
  validation_samples: number;
  test_samples: number;
  classes: number;
  batch: number; // of a worker, in one pass
  micro_batches: number; // of a step
  workers: number;
  global_batch: number; // samples per step of all workers
  steps_per_epoch: number;
  optimizer: string;
  learning_rate: number;
  schedule: string;
  seed: number;
  planned_bytes: number; // memory of a worker
  memory_bytes: number; // that a worker may count on
  load_line: number; // share of it that may be filled
  line_bytes: number; // memory under the line
  checkpoint_bytes: number; // most room that checkpoints take
  reorders: number; // changes of layout in a step
  conv_methods: Record<string, number>; // how many convolutions are computed how
  by_reference: string[]; // operations without a fast kernel
  declined: Declined[]; // why operations did not get the kernel that is asked first
  evaluation_by_reference: string[]; // the same in evaluations
  predicted_step_seconds: number | null; // null: this machine has not been probed
  fits: boolean; // no
  shortfall_bytes: number; // by which the line is missed
  largest_batch: number; // that fits; 0: none
  breaking_tensor: Tensor | null; // whose allocation crosses the line
}

export interface TrainRequest {
  model?: string; // a network of the zoo ('plimsoll models'), or the path of an .onnx file, a Hugging Face config.json (or its folder) or a .gguf
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  batch?: number | "auto"; // samples per step, or auto: as many as stay under the load line, at most 256
  micro_batches?: number; // add up the gradients of N batches of batch samples before each update, in the memory of one (default: 1)
  data?: string; // fashion-mnist, mnist, cifar10, catsdogs, debian-sections, king-james, or the path of a file or folder; for language models text (.txt, .jsonl)
  loaders?: number; // loader workers; 0: the training thread loads (default: one per core, at most 8)
  validation?: number; // share of the training set that is kept for validation
  normalise?: "none" | "scale" | "standard"; // how to scale samples: none, scale (divide by 255) or standard (then mean 0, deviation 1 for each channel) (default: scale; standard with mean)
  mean?: number[] | number; // mean of each channel after dividing by 255, e.g. 0.49,0.48,0.45 (default: the training set's)
  std?: number[] | number; // with mean: the deviation of each channel
  augment?: string; // how to change training pictures at random: flip,shift:4,rotate:15,zoom:0.1,shear:0.1
  tokenizer?: string; // tokenizer of a language model's text: bytes, bpe:N (N byte pairs learnt from it) or a tokenizer.json (default: the one beside a config.json, else bpe:4096)
  bad_samples?: string; // what to do about samples that cannot be read: stop, skip (at most 100 an epoch), or skip:N
  epochs?: number; // passes over the training set
  max_steps?: number; // stop after N steps, those before resume included
  early_stop?: number; // stop after N epochs without a better validation result; keep the best epoch's weights
  monitor?: "accuracy" | "loss"; // what decides which epoch is better: accuracy or loss (default: accuracy; loss for language models)
  save_best?: boolean; // keep the best epoch's weights and use them at the end
  on_nan?: "stop" | "skip" | "reload"; // when the loss is not a number: stop, skip the update, or reload the last checkpoint
  seed?: number; // seed of weights, order, augmentation and dropout
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude (default: momentum)
  lr?: number; // learning rate (default: 0.01; 0.001 for adam, adamw, rmsprop, lamb; 0.0001 for lion)
  schedule?: string; // how the learning rate changes: constant, cosine, poly[:POWER] or step[:EPOCHS[:FACTOR]] (by default to a tenth after each third)
  warmup?: string; // steps over which the learning rate rises to lr, or epochs: 500, 5epochs
  warmup_from?: "zero" | "workers"; // where the warm-up begins: zero, or workers (the rate divided by their number) (default: workers with scale_lr, else zero)
  scale_lr?: "linear" | "sqrt" | "none"; // how lr grows with the number of workers: linear, sqrt or none
  weight_decay?: number; // how strongly weights are pulled towards zero
  momentum?: number; // share of the last update that is kept, for momentum, nesterov and lars (default: 0.9)
  label_smoothing?: number; // share of each target that is spread over all classes
  loss?: "automatic" | "softmax-cross-entropy" | "binary-cross-entropy" | "mean-squared-error"; // automatic, softmax-cross-entropy, binary-cross-entropy or mean-squared-error (default: chosen by the network's output)
  batchnorm?: string; // samples that batch norms take their statistics over: local (each worker's batch), sync (all workers'), ghost:32 (groups of 32)
  renew_norms?: number; // after training, recompute the statistics of batch norms over N batches; needed after few, large steps
  device?: string; // where steps are computed: cpu, cuda:N (an NVIDIA GPU, through the installed PyTorch) or torch:cpu (the same path on the processor)
  compute?: string; // format of products and convolutions on cuda:N and torch:cpu: f32, tf32 (GPUs), bf16 or f16, and channels-last, which may follow another after a comma
  threads?: number; // threads per step on this machine (default: one per core)
  conv?: "auto" | "direct" | "winograd" | "fft"; // how to compute convolutions here: auto (the fastest for each layer), direct, winograd (faster for 3x3 kernels, more memory) or fft (faster for large kernels, more memory)
  backend?: string; // onednn or reference (slow, exact) (default: onednn)
  memory?: number | string; // memory that the run may use [bytes] (default: this machine's, or its container's)
  load_line?: number; // share of the memory that may be filled
  np?: number; // number of workers, started through mpirun; batch is for each of them (also -np) (default: 1)
  hosts?: string; // machines, each with its number of workers: a:4,b:4 (default: this one)
  wire?: "f32" | "bf16" | "f16"; // number format in which workers exchange gradients: f32, bf16 or f16; the rounding error is reported (default: f32)
  same_batches?: boolean; // give all workers the same samples, to show what a run that forgot to divide them is worth
  max_restarts?: number; // how many times to restart a run that lost a worker, from its last checkpoint
  silence?: number; // consider a worker lost after this many seconds without a sign of life [seconds]
  run_dir?: string; // where the run is kept (default: runs/MODEL-N)
  resume?: boolean; // continue the run in run_dir; settings that are not given stay as they were
  save_every?: string; // how often to save a checkpoint within an epoch: 10min, 90s, 200steps (default: 10min)
}

export interface TrainingSet {
  name: string;
  summary: string;
  classes: number; // 0: texts without labels
}

export interface TrustRatio {
  parameter: string;
  ratio: number | null;
}

export interface UnknownOp {
  op: string; // domain and name
  count: number; // how many there are
}

export interface Verdict {
  choice: string; // the name of a device; empty when nothing fits
  kind: string; // gpu or cpu; empty when nothing fits
  reasons: string[];
  speed_up?: number; // of the GPU over the CPU
  price_ratio?: number; // of an hour: GPU over CPU
}

export interface WeighComparison {
  schema: string;
  models: Weight[]; // one entry a network
  first_done?: string; // the network whose training is over first
}

export interface WeighRequest {
  model: string[] | string; // networks of the zoo ('plimsoll models') or paths of model files
  batch?: number; // samples per step (default: 1)
  dtype?: string; // number format: f64, f32, tf32, bf16, f16, int8, or amp (f32 parameters, f16 activations); fp8 and amp-bf16 for language models (default: f32, or as the file has it)
  input?: number[] | string; // shape of one sample, e.g. 3x224x224 (default: the network's own)
  classes?: number; // number of classes of a zoo network; size of the vocabulary of a language model (default: the network's own)
  sequence?: number; // tokens per sample, for networks that read text [tokens] (default: 2,048, or the network's longest if that is shorter)
  dim?: string[] | string; // value for a named size that an .onnx file leaves open, e.g. sequence=128
  max_nodes?: number; // most nodes that an .onnx file may have (default: 200,000)
  mode?: "train" | "inference" | "generate"; // train or inference
  optimizer?: string; // sgd, momentum, nesterov, adam, adamw, rmsprop, lars, lamb, lion; presets: lamb:paper, lamb:tfa, lamb:nvidia, lars:paper, lars:exclude
  sort?: "params" | "macs" | "flops" | "activations" | "naive" | "moved" | "intensity"; // sort layers, largest first, by params, macs, flops, activations, naive, moved or intensity
  depth?: number; // group layers whose names share this many leading parts
  top?: number; // rows to show
  units?: number; // add a column: rounds that this many equal units need for a layer's outputs
  epochs?: number[] | number; // with several networks: epochs for each, e.g. 10,100
  epoch_time?: (number | string)[] | number | string; // with epochs: time per epoch for each, e.g. 2.4h,90s [seconds]
}

export interface Weight {
  schema: string;
  model: string; // the network
  batch: number; // samples a step
  dtype: string; // number format
  mode: "train" | "inference" | "generate"; // training or inference
  optimizer: string; // whose state is counted
  params: number; // learnable numbers
  trainable_params: number; // those that a training step changes
  buffers: number; // the rest that is stored: batch-norm statistics
  stored_numbers: number; // parameters and buffers
  macs: number; // multiply-accumulates of convolutions and matrix products, forward
  flops: number; // arithmetic operations, forward; a multiply-add is two
  train_flops: number; // of one training step: forward, backward, update
  param_bytes: number; // of the parameters
  buffer_bytes: number; // of the buffers
  input_bytes: number; // of the inputs
  activation_bytes: number; // of all layers' outputs
  optimizer_bytes: number; // of the optimizer's state
  naive_bytes: number; // everything kept
  moved_bytes: number; // read and written, forward
  untied_params: number; // tied ones counted as often as they are read
  active_params: number; // that one token passes through
  tokens?: number; // of a sample
  flops_per_token?: number; // forward
  train_flops_per_token?: number;
  kv_bytes_per_token?: number; // of the caches of all layers
  caches?: Cache[]; // by kind of layer
  blocks?: Block[]; // stacks of equal blocks
  layers: Layer[]; // in the order and grouping asked for
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  at_most_operations: number; // whose cost is the largest that it can be
  unbounded_operations: number; // in loops without a known end, counted once
  notes: string[];
  epochs?: number; // until the result, as given
  epoch_seconds?: number; // as given
  total_seconds?: number; // to the result
}

export interface WeightAnswer {
  schema: string; // of this answer
  model: string; // the network
  batch: number; // samples a step
  dtype: string; // number format
  mode: "train" | "inference" | "generate"; // training or inference
  optimizer: string; // whose state is counted
  params: number; // learnable numbers
  trainable_params: number; // those that a training step changes
  buffers: number; // the rest that is stored: batch-norm statistics
  stored_numbers: number; // parameters and buffers
  macs: number; // multiply-accumulates of convolutions and matrix products, forward
  flops: number; // arithmetic operations, forward; a multiply-add is two
  train_flops: number; // of one training step: forward, backward, update
  param_bytes: number; // of the parameters
  buffer_bytes: number; // of the buffers
  input_bytes: number; // of the inputs
  activation_bytes: number; // of all layers' outputs
  optimizer_bytes: number; // of the optimizer's state
  naive_bytes: number; // everything kept
  moved_bytes: number; // read and written, forward
  untied_params: number; // tied ones counted as often as they are read
  active_params: number; // that one token passes through
  tokens?: number; // of a sample
  flops_per_token?: number; // forward
  train_flops_per_token?: number;
  kv_bytes_per_token?: number; // of the caches of all layers
  caches?: Cache[]; // by kind of layer
  blocks?: Block[]; // stacks of equal blocks
  layers: Layer[]; // in the order and grouping asked for
  unknown_ops: UnknownOp[]; // operations that are not known and not counted
  uncounted_operations: number; // known, on shapes that are not known
  at_most_operations: number; // whose cost is the largest that it can be
  unbounded_operations: number; // in loops without a known end, counted once
  notes: string[];
  epochs?: number; // until the result, as given
  epoch_seconds?: number; // as given
  total_seconds?: number; // to the result
}

export interface Wire {
  format: string; // of gradients on their way
  step_bytes: number; // of each worker
  error: number | null; // share of the gradients' length
  largest_error: number | null;
  mean_error: number | null; // of the mean that came back
  largest_mean_error: number | null;
}

export interface Wiring {
  per_node: number | null; // workers of a node; null: all are in one
  inside: Link | null; // between workers of a node
  between: Link | null; // between nodes
}

export interface WrittenText {
  prompt: string;
  text: string; // what follows the prompt
  tokens: number; // that were written
  ended: boolean; // by the token that ends a text
  seconds: number;
  tokens_per_second: number;
}
