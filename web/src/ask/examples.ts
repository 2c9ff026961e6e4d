// Questions to begin with, a click each.
import { button, h } from '../base/dom';
import type { State } from '../base/state';

const asked: [text: string, state: Partial<State>][] = [
  ['ResNet-50 on a T4', { model: 'resnet50', device: 'aws-g4dn.xlarge', mode: 'train', batch: 64 }],
  [
    'Llama-3.1-8B, LoRA, on a 4090',
    {
      model: 'llama-3.1-8b',
      device: 'nvidia-rtx-4090',
      mode: 'train',
      method: 'lora:16',
      checkpointing: 'full',
      sequence: '1024',
      batch: 1,
      samples: '10000',
      epochs: '3',
    },
  ],
  [
    'Llama-3.1-8B served by an H100',
    { model: 'llama-3.1-8b', device: 'lambda-1x-h100-sxm', mode: 'generate', concurrency: 16 },
  ],
];

export function examples(take: (state: Partial<State>) => void, own: HTMLElement): HTMLElement {
  const chips = asked.map(([text, state]) => button(text, () => take(state), { class: 'chip' }));
  return h(
    'div',
    { class: 'chips examples', role: 'group', 'aria-label': 'Examples' },
    h('span', { class: 'for-example' }, 'For example'),
    ...chips,
    own,
  );
}
