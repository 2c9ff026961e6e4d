// Questions to the server. Every answer is the JSON that the command line prints for the same flags.

export interface Choices {
  models: { name: string; summary: string; input: string }[];
  devices: { name: string; title: string; kind: string; count: number; memory_bytes?: number }[];
  formats: string[];
  optimizers: string[];
  default_optimizer: string;
  frameworks: string[];
  verbs: string[];
}

// What an answer leaves out: then its numbers are lower bounds, and a sentence says so.
export interface Bound {
  lower_bound: boolean;
  lower_bound_reason?: string;
  unknown_ops: { op: string; count: number }[];
}

export interface Fit extends Bound {
  batch: number;
  fits: boolean;
  largest_batch: number;
  peak_bytes: number;
  range: { low: number; high: number };
  memory_bytes: number;
  load_line: number;
  line_bytes: number;
  breakdown: Record<string, number>;
  timeline: number[];
  timeline_parts: { tensors: number[]; workspace: number[]; fixed: number };
  peak_operation: string;
  alternatives: { change: string; batch: number; slowdown: number | null }[];
  sentences: string[];
}

export interface Placement {
  framework: string;
  batch: number;
  step_seconds: number;
  epoch_seconds: number;
  total_seconds: number;
  samples_per_second: number;
  latency_seconds?: number;
  cost: number | null;
  cost_per_million: number | null;
  price: string | null;
  bound_by: string;
}

export interface Place extends Bound {
  ranking: Placement[];
  notes: string[];
}

export interface Weigh {
  model: string;
  params: number;
  macs: number;
  flops: number;
  train_flops: number;
}

// A network that was dropped. `open_sizes`: the names of those that it leaves open; before they are said nothing is
// known of it.
export interface Uploaded {
  model: string;
  open_sizes: string[];
}

export interface ScaleRun {
  workers: number;
  global_batch: number;
  step_seconds: number;
  images_per_second: number;
  efficiency: number;
  total_seconds: number;
  cost: number | null;
}

export interface Scale extends Bound {
  runs: ScaleRun[];
  knee: ScaleRun | null;
  verdict: { reasons: string[] };
  notes: string[];
}

export interface Run {
  id: string;
  name: string;
  running: boolean;
  model?: string;
  batch?: number;
  planned_bytes?: number;
  data?: { name?: string };
}

export type LogLine = Record<string, string | number | boolean | null> & { event: string };

// What a card shows: each part as its verb answers it.
export interface Plan {
  fit: Fit;
  place: Place;
  weigh: Weigh;
}

export class Refusal extends Error {}

async function read<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const error = answer as { what?: string; where?: string; hint?: string } | null;
  if (!error?.what) throw new Refusal(`The server answers with ${response.status}.`);
  const place = error.where ? `${error.where}: ` : '';
  throw new Refusal(`${place}${error.what}${error.hint ? ` (${error.hint})` : ''}`);
}

async function send<T>(path: string, body: string | Blob, type: string): Promise<T> {
  const headers = { 'Content-Type': type, 'X-Plimsoll': '1' };
  let response: Response;
  try {
    response = await fetch(path, { method: 'POST', headers, body });
  } catch {
    throw new Refusal('The server does not answer. Is plimsoll serve still running?');
  }
  return read<T>(response);
}

export type Flags = Record<string, string | string[]>;

export const ask = <T>(verb: string, flags: Flags): Promise<T> =>
  send<T>(`/api/${verb}`, JSON.stringify(flags), 'application/json');

export const askPlan = (fit: Flags, place: Flags, weigh: Flags): Promise<Plan> =>
  send<Plan>('/api/plan', JSON.stringify({ fit, place, weigh }), 'application/json');

export const choices = async (): Promise<Choices> => read<Choices>(await fetch('/api/choices'));

export const upload = (file: File): Promise<Uploaded> =>
  send<Uploaded>('/api/upload', file, 'application/octet-stream');

export const stopRun = (run: string): Promise<unknown> => ask('runs/stop', { run });

// The token is behind the '#' of the address that the program printed. It is traded for a cookie and taken out of the
// address, so that a link that is passed on has the state in it and not the key.
export async function openSession(): Promise<void> {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const token = parameters.get('token');
  if (token === null) return;
  parameters.delete('token');
  history.replaceState(null, '', `#${parameters}`);
  await ask('session', { token });
}
