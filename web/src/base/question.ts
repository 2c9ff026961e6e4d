// What is asked now, as every part of the page needs it: a state that does not change any more, and what kind it is.
import type { Choices } from './api';
import { type Kind, kindOf } from './job';
import { type State, toLink } from './state';
import { count } from './units';
import { fileName } from './words';
import { isText } from '../ask/network_choice';

export interface Question {
  state: State;
  kind: Kind;
  text: boolean; // a network of transformers, known by name or dropped
  sample: string; // what one is called
  tokens: number; // of a sample of text; 0: none
  where: string; // the device, as people call it
  key: string; // two questions with the same key have the same answer
}

// "resnet50, batch 32": of what an answer is, for titles.
export function subjectOf({ state, kind }: Question): string {
  const load =
    kind === 'serving'
      ? `${count(state.concurrency)} × ${count(Number(state.context))} tokens at once`
      : `${kind === 'tokens' ? 'micro-batch' : 'batch'} ${count(state.batch)}`;
  return `${fileName(state.model)}, ${load}${state.mode === 'inference' ? ', inference' : ''}`;
}

export class Questions {
  private readonly textFiles = new Set<string>();

  constructor(private readonly choices: Choices) {}

  addText(model: string): void {
    this.textFiles.add(model);
  }

  isLanguage(model: string): boolean {
    return this.textFiles.has(model) || this.choices.language_models.some((each) => each.name === model);
  }

  // What a sample of a network is called.
  sampleOf(model: string): string {
    const zoo = this.choices.models.find((each) => each.name === model);
    if (this.isLanguage(model) || (zoo && isText(zoo.input))) return 'sequence';
    return zoo ? 'image' : 'sample';
  }

  of(state: State): Question {
    const text = this.isLanguage(state.model);
    const device = this.choices.devices.find((each) => each.name === state.device);
    const gpu = device === undefined || device.kind !== 'cpu'; // of a node the server decides
    const zoo = this.choices.models.find((each) => each.name === state.model);
    const reads = zoo !== undefined && isText(zoo.input);
    const now: State = { ...state, sizes: new Map(state.sizes), pins: [] };
    return {
      state: now,
      kind: kindOf(now, text, gpu),
      text,
      sample: this.sampleOf(state.model),
      tokens: reads ? Number(zoo.input) : text ? Number(state.sequence) : 0,
      where: state.device === 'this' ? 'this machine' : (device?.title ?? state.device),
      key: toLink(now, true),
    };
  }
}
