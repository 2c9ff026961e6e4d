// Where the page starts.
import './base/theme';
import { askChoices, openSession } from './base/api';
import { fill, h, message } from './base/dom';
import { Page } from './page';
import './style/base.css';
import './style/ask.css';
import './style/hero.css';
import './style/tabs.css';
import './style/runs.css';

async function start(): Promise<void> {
  try {
    await openSession();
    new Page(await askChoices());
  } catch (error) {
    fill(document.querySelector('#main')!, h('p', { class: 'gone', role: 'alert' }, message(error)));
  }
}

// The link to the content must not take the place of the state in the address.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
});

// A link that is opened while the page is there: the page starts again from it.
addEventListener('hashchange', () => location.reload());
void start();
