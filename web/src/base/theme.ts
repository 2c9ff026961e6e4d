// Light or dark: as the system has it until the reader chooses; the choice is kept in this browser.

const key = 'plimsoll-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];

export function isDark(): boolean {
  const chosen = localStorage.getItem(key);
  return chosen === null ? dark.matches : chosen === 'dark';
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
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

// Paper is light.
addEventListener('beforeprint', () => (document.documentElement.dataset.theme = 'light'));
addEventListener('afterprint', apply);

dark.addEventListener('change', apply);
apply();
