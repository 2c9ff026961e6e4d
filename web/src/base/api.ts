// Questions to the server. Requests and answers are those of the command line; their types are made from the same rows.
import type {
  Choices,
  DroppedNetwork,
  Fit,
  FitRequest,
  FitServing,
  ListedRun,
  Place,
  PlaceRequest,
  PlaceServing,
  RunList,
  Scale,
  ScaleRequest,
  StartedRun,
  Step,
  TokenFit,
  TokenPlace,
  TokenScale,
  TokenStep,
  TrainRequest,
  Weight,
  WeighRequest,
} from '../generated';
import { fileName, plain } from './words';

export type * from '../generated';

export type AnyFit = Fit | TokenFit | FitServing;
export type AnyPlace = Place | TokenPlace | PlaceServing;
export type AnyScale = Scale | TokenScale;

// A training, as the list has it: what its folder says of it may be anything.
export type Run = ListedRun & {
  model?: string;
  batch?: number;
  planned_bytes?: number;
  data?: { name?: string };
};

export type RunNews = Omit<RunList, 'schema' | 'runs'> & { runs: Run[] };

export type LogLine = Record<string, string | number | boolean | null> & { event: string };

// `field`: the part of the request that is wrong, where the server names one.
export class Refusal extends Error {
  constructor(
    text: string,
    readonly field = '',
  ) {
    super(text);
  }
}

export class ServerGone extends Refusal {
  constructor() {
    super('The server does not answer. Is plimsoll serve still running?');
  }
}

type Listener = (gone: boolean) => void;
const listeners: Listener[] = [];
let gone = false;

// Everybody is told when the server goes, and when it is back.
export function onServer(listener: Listener): void {
  listeners.push(listener);
}

export function serverIs(now: 'there' | 'gone'): void {
  if (gone === (now === 'gone')) return;
  gone = now === 'gone';
  for (const listener of listeners) listener(gone);
}

async function read<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const error = answer as { what?: string; where?: string; hint?: string } | null;
  if (!error?.what) throw new Refusal(`The server answers with ${response.status}.`);
  const place = error.where ? `${error.where}: ` : '';
  const field = /^([a-z_]+) (is|has|are) /.exec(error.what)?.[1] ?? /^[a-z_]+$/.exec(error.where ?? '')?.[0] ?? '';
  throw new Refusal(plain(`${place}${error.what}${error.hint ? ` (${error.hint})` : ''}`), field);
}

async function send<T>(path: string, body: string | Blob, type: string): Promise<T> {
  const headers = { 'Content-Type': type, 'X-Plimsoll': '1' };
  let response: Response;
  try {
    response = await fetch(path, { method: 'POST', headers, body });
  } catch {
    serverIs('gone');
    throw new ServerGone();
  }
  serverIs('there');
  return read<T>(response);
}

// What is not said is left out: an empty field means the default.
const ask = <T>(verb: string, request: object): Promise<T> =>
  send<T>(`/api/${verb}`, JSON.stringify(request), 'application/json');

export interface Answers {
  fit: AnyFit;
  place: AnyPlace;
}

export const askPlan = (fit: FitRequest, place: PlaceRequest): Promise<Answers> => ask<Answers>('plan', { fit, place });
export const askFit = (request: FitRequest): Promise<AnyFit> => ask('fit', request);
export const askPlace = (request: PlaceRequest): Promise<AnyPlace> => ask('place', request);
export const askWeigh = (request: WeighRequest): Promise<Weight> => ask('weigh', request);
export const askScale = (request: ScaleRequest): Promise<AnyScale> => ask('scale', request);
export const askStep = (request: FitRequest): Promise<Step> => ask('step', request);
export const askTokenStep = (request: FitRequest): Promise<TokenStep> => ask('step', request);

// The report as one file, with the name of a dropped network as its owner knows it.
export async function askReport(request: object, model: string): Promise<string> {
  const { html } = await ask<{ html: string }>('report', request);
  const name = new Option(fileName(model)).innerHTML; // escaped
  return html.replaceAll(model, name);
}

export async function askChoices(): Promise<Choices> {
  const response = await fetch('/api/choices').catch(() => {
    throw new ServerGone();
  });
  return read<Choices>(response);
}

export const upload = (file: Blob): Promise<DroppedNetwork> =>
  send<DroppedNetwork>('/api/upload', file, 'application/octet-stream');

export const askRunReport = async (run: string): Promise<string> =>
  (await ask<{ html: string }>('runs/report', { run })).html;

export const startRun = (request: TrainRequest): Promise<StartedRun> => ask('runs/start', request);
export const resumeRun = (run: string): Promise<StartedRun> => ask('runs/resume', { run });
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
