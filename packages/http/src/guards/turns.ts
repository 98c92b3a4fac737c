/** Work that runs so many at once, holder by holder in turn, so that one with many waits behind none of the others. */
export interface Turns {
  run<Result>(holder: string, task: () => Promise<Result>): Promise<Result>;
}

/** @param atOnceMax tasks that run at one time. Those that wait are bounded by who asks: each is a request in flight. */
export function createTurns({ atOnceMax }: { readonly atOnceMax: number }): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function startNext(): void {
    const [next] = waiting;
    if (next === undefined) return;
    const [holder, queue] = next;
    const start = queue.shift();
    waiting.delete(holder);
    // Behind all others that wait.
    if (queue.length > 0) waiting.set(holder, queue);
    start?.();
  }

  return {
    async run(holder, task) {
      if (running >= atOnceMax) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const queue = waiting.get(holder);
        if (queue === undefined) waiting.set(holder, [resolve]);
        else queue.push(resolve);
        await promise;
      } else {
        running += 1;
      }
      try {
        return await task();
      } finally {
        if (waiting.size > 0) startNext();
        else running -= 1;
      }
    },
  };
}
