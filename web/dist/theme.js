// Before the first paint: the colours that the reader chose, else the system's. The page goes on in src/base/theme.ts.
(() => {
  const chosen = localStorage.getItem('plimsoll-theme');
  const dark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
