// Light or dark: as the system has it until the reader chooses; the choice is kept in this browser.

const key = 'plimsoll-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];
let onPaper = false; // which is light, whatever changes while it is printed

export function isDark(): boolean {
  const chosen = localStorage.getItem(key);
  return chosen === null ? dark.matches : chosen === 'dark';
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() && !onPaper ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

export function toggleTheme(): void {
  localStorage.setItem(key, isDark() ? 'light' : 'dark');
  apply();
}

// A colour of the style sheet, for what is drawn on a canvas.
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function print(begins: boolean): void {
  onPaper = begins;
  apply();
}

addEventListener('beforeprint', () => print(true));
addEventListener('afterprint', () => print(false));

dark.addEventListener('change', apply);
apply();
