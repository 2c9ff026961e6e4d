// The head of the page: what it is in one line, its two views, light or dark.
import { button, fill, h } from './base/dom';
import { isDark, onTheme, toggleTheme } from './base/theme';
import { CopyButton } from './share/copy_button';

// Returns what marks the view that is shown.
export function header(look: (view: string) => void, link: () => string): (view: string) => void {
  const tab = (name: string, text: string): HTMLElement =>
    button(text, () => look(name), { class: 'view', 'data-view': name });
  const views = [tab('plan', 'Plan'), tab('trainings', 'Trainings')];
  const theme = button('', toggleTheme, { class: 'theme' });
  const name = (): void => void (theme.textContent = isDark() ? 'Light' : 'Dark');
  onTheme(name);
  name();
  const copy = new CopyButton('Copy link', 'copy');
  copy.set(link);
  fill(
    document.querySelector('#top')!,
    h('h1', {}, 'Plimsoll'),
    h('p', { class: 'tagline' }, 'Will it fit, how fast, what will it cost?'),
    h('nav', { 'aria-label': 'Views' }, ...views),
    h('div', { class: 'head-end' }, copy.element, theme),
  );
  return (view) => {
    for (const each of views) each.setAttribute('aria-current', each.dataset.view === view ? 'page' : 'false');
  };
}
