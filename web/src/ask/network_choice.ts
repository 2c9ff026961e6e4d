// The networks that can be chosen, in groups: dropped files, language models by family, the zoo by family.
import type { Choices } from '../base/api';
import type { Entry } from './combobox';

// "EfficientNet v2 (Tan 2021)" → "EfficientNet"
const family = (summary: string): string =>
  summary
    .split(/[,(]/)[0]!
    .trim()
    .replace(/ (v?\d[\d.]*|X|Y)$/, '');

function zooEntries(choices: Choices): Entry[] {
  const sizes = new Map<string, number>();
  for (const model of choices.models) sizes.set(family(model.summary), (sizes.get(family(model.summary)) ?? 0) + 1);
  const entries = choices.models.map((model): Entry => {
    const group = family(model.summary);
    const text = isText(model.input);
    return {
      value: model.name,
      text: model.name,
      note: `${model.summary} · ${text ? `${model.input} tokens` : model.input.replaceAll('x', ' × ')}`,
      group: text ? 'Text' : (sizes.get(group) ?? 0) > 1 ? group : 'Others',
    };
  });
  const last = (group: string): number => (group === 'Others' ? 1 : 0);
  return entries.sort((a, b) => last(a.group) - last(b.group) || (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
}

export const isText = (input: string): boolean => /^\d+$/.test(input);

export function networkEntries(choices: Choices, files: Map<string, string>): Entry[] {
  const dropped = [...files].map(([value, text]): Entry => ({ value, text, note: 'your file', group: 'Your files' }));
  const language = choices.language_models.map((model): Entry => ({
    value: model.name,
    text: model.name,
    note: model.summary,
    group: `Language models: ${model.family}`,
  }));
  return [...dropped, ...zooEntries(choices), ...language];
}
