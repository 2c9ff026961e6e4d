// Long questions, asked when the slider rests. A browser keeps six connections to a server: were long questions to take
// them all, the quick ones would wait behind them. So at most two are on their way, and of each asker only the newest
// waits.

const most = 2;
const waiting = new Map<object, () => Promise<void>>();
let running = 0;

function next(): void {
  for (const [who, job] of waiting) {
    if (running >= most) return;
    waiting.delete(who);
    running += 1;
    void job().finally(() => {
      running -= 1;
      next();
    });
  }
}

export function later(who: object, job: () => Promise<void>): void {
  waiting.set(who, job);
  next();
}

export function forget(who: object): void {
  waiting.delete(who);
}
