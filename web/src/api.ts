// Questions to the server. Requests and answers are those of the command line; their types are made from the same rows.
import type {
  Choices,
  DroppedNetwork,
  FitRequest,
  ListedRun,
  PlaceRequest,
  Plan,
  WeighRequest,
} from './generated';

export type { Choices, DroppedNetwork, Fit, FitRequest, Place, PlaceRequest, Plan } from './generated';
export type { Scale, ScaleRequest, ScaleRun } from './generated';

// A training, as the list has it: what its folder says of it may be anything.
export type Run = ListedRun & {
  model?: string;
  batch?: number;
  planned_bytes?: number;
  data?: { name?: string };
};

export type LogLine = Record<string, string | number | boolean | null> & { event: string };

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

// What is not said is left out: an empty field means the default.
export const ask = <T>(verb: string, request: object): Promise<T> =>
  send<T>(`/api/${verb}`, JSON.stringify(request), 'application/json');

export const askPlan = (fit: FitRequest, place: PlaceRequest, weigh: WeighRequest): Promise<Plan> =>
  send<Plan>('/api/plan', JSON.stringify({ fit, place, weigh }), 'application/json');

export const choices = async (): Promise<Choices> => read<Choices>(await fetch('/api/choices'));

export const upload = (file: File): Promise<DroppedNetwork> =>
  send<DroppedNetwork>('/api/upload', file, 'application/octet-stream');

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
