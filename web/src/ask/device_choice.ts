// The devices that can be chosen, in groups: this machine, then by who makes or rents them.
import type { ChosenDevice, Choices } from '../base/api';
import { bytes } from '../base/units';
import type { Entry } from './combobox';

const makers: [prefix: RegExp, group: string][] = [
  [/^this$/, 'Here'],
  [/^nvidia-(rtx|gtx|geforce|titan|mx)/, 'NVIDIA, for desks'],
  [/^nvidia-/, 'NVIDIA, for data centres'],
  [/^amd-/, 'AMD'],
  [/^intel-/, 'Intel'],
  [/^apple-/, 'Apple'],
  [/^aws-/, 'Rented: AWS'],
  [/^(gcp|google)-/, 'Rented: Google'],
  [/^azure-/, 'Rented: Azure'],
  [/^lambda-/, 'Rented: Lambda'],
  [/^runpod-/, 'Rented: RunPod'],
];

const groupOf = (device: ChosenDevice): number => {
  const found = makers.findIndex(([prefix]) => prefix.test(device.name));
  return found < 0 ? makers.length : found;
};

function memoryOf(device: ChosenDevice): string {
  if (device.memory_bytes === undefined) return '';
  return `${device.count > 1 ? `${device.count} × ` : ''}${bytes(device.memory_bytes)}`;
}

export function deviceEntries(choices: Choices): Entry[] {
  const sorted = [...choices.devices].sort((a, b) => groupOf(a) - groupOf(b) || (a.name < b.name ? -1 : 1));
  return sorted.map((device) => ({
    value: device.name,
    text: device.name === 'this' ? 'this machine' : device.name,
    note: [device.title, memoryOf(device)].filter((part) => part !== '').join(' · '),
    group: makers[groupOf(device)]?.[1] ?? 'Others',
    words: device.kind,
  }));
}
