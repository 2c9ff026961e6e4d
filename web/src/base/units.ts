// Numbers as people read them, each with its unit. The numbers themselves come from the server.

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function scaled(value: number, by: number, units: string[]): [string, number] {
  let unit = 0;
  while (Math.abs(value) >= by * 0.9995 && unit < units.length - 1) {
    value /= by;
    unit += 1;
  }
  return [units[unit] ?? '', value];
}

// Memory is always told in powers of two.
export function bytes(value: number): string {
  const [unit, shown] = scaled(value, 1024, ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']);
  return unit === 'bytes' ? `${shown} ${shown === 1 ? 'byte' : 'bytes'}` : `${digits(shown)} ${unit}`;
}

// At an axis, where ticks are round.
export function roundBytes(value: number): string {
  const [unit, shown] = scaled(value, 1024, ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']);
  return value === 0 ? '0' : `${Number(shown.toPrecision(3))} ${unit}`;
}

// Rounded first: 59.7 s more are a minute more, not 60 s.
function twoUnits(small: number, of: number, large: string, unit: string): string {
  const all = Math.round(small);
  return `${Math.floor(all / of)} ${large} ${all % of} ${unit}`;
}

export function seconds(value: number): string {
  if (value <= 0) return '0 s';
  if (value < 1e-3) return `${digits(value * 1e6)} µs`;
  if (value < 1) return `${digits(value * 1e3)} ms`;
  if (value < 120) return `${digits(value)} s`;
  if (value < 7200) return twoUnits(value, 60, 'min', 's');
  if (value < 172800) return twoUnits(value / 60, 60, 'h', 'min');
  if (value < 86400 * 730) return twoUnits(value / 3600, 24, 'd', 'h');
  return `${count(Math.round(value / 86400 / 365))} years`;
}

// At an axis, where ticks are round.
export function roundSeconds(value: number): string {
  const units: [number, string][] = [
    [86400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
  ];
  const [size, unit] = units.find(([least]) => value >= least * 0.999) ?? [1, 's'];
  return `${Number((value / size).toPrecision(3))} ${unit}`;
}

export function dollars(value: number): string {
  if (value >= 1000) return `${count(Math.round(value))} USD`;
  return `${value >= 0.095 || value === 0 ? value.toFixed(2) : `${Number(value.toPrecision(2))}`} USD`;
}

// At an axis, where ticks are round.
export const roundDollars = (value: number): string => `${Number(value.toPrecision(2)).toLocaleString('en-US')} USD`;

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

// What is wrong with a number that was typed; '' when nothing is.
export function wrongNumber(text: string, min: number, max: number, whole: boolean): string {
  const number = Number(text);
  if (text !== '' && Number.isFinite(number) && number >= min && number <= max && (!whole || Number.isInteger(number)))
    return '';
  return `${whole ? 'A whole number' : 'A number'} from ${count(min)} to ${count(max)}`;
}

export function large(value: number): string {
  const [unit, shown] = scaled(value, 1000, ['', ' k', ' M', ' G', ' T', ' P', ' E']);
  return unit === '' ? `${Number(shown.toPrecision(4))}` : `${digits(shown)}${unit}`;
}

// At an axis, where ticks are round.
export function short(value: number): string {
  const [unit, shown] = scaled(value, 1000, ['', 'k', 'M', 'G', 'T', 'P', 'E']);
  return `${Number(shown.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}`;
}

export function percent(value: number): string {
  return `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %`;
}

// An accuracy, of which tenths count.
export function precise(value: number): string {
  return `${(100 * value).toFixed(2)} %`;
}

export function amount(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : count(Math.round(value));
}

export function rate(value: number, unit: string): string {
  return `${amount(value)} ${unit}`;
}
