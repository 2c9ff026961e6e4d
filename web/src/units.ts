// Numbers as people read them, each with its unit. The numbers themselves come from the server.

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function bytes(value: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${value} ${value === 1 ? 'byte' : 'bytes'}` : `${digits(value)} ${units[unit]}`;
}

export function seconds(value: number): string {
  if (value < 1e-3) return `${digits(value * 1e6)} µs`;
  if (value < 1) return `${digits(value * 1e3)} ms`;
  if (value < 120) return `${digits(value)} s`;
  if (value < 7200) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  if (value < 172800) return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
  return `${Math.floor(value / 86400)} d ${Math.round((value % 86400) / 3600)} h`;
}

export function dollars(value: number): string {
  return value >= 1000 ? `${count(Math.round(value))} USD` : `${value.toFixed(value < 1 ? 4 : 2)} USD`;
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function large(value: number): string {
  const units = ['', ' k', ' M', ' G', ' T', ' P'];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? `${value}` : `${digits(value)}${units[unit]}`;
}

export function percent(value: number): string {
  return `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %`;
}

// An accuracy, of which tenths count.
export function precise(value: number): string {
  return `${(100 * value).toFixed(2)} %`;
}

export function rate(value: number, unit: string): string {
  return `${value < 10 ? value.toFixed(2) : count(Math.round(value))} ${unit}`;
}
