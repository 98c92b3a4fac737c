const CHECK_MS = 20;

/**
 * Watches how long the event loop of this thread is held by its own work. The clock says the same only on an idle machine: processor time is not
 * spent while other processes run.
 * @returns a function that returns the longest processor time in seconds that the loop was held since it was last called, exact to 20 ms.
 */
export function watchLoopTurns(): () => number {
  let longest = 0;
  let since = process.threadCpuUsage();
  // It fires late by as long as one turn takes.
  const check = () => {
    const { user, system } = process.threadCpuUsage(since);
    since = process.threadCpuUsage();
    longest = Math.max(longest, user + system);
  };
  setInterval(check, CHECK_MS).unref();
  return () => {
    check();
    const taken = longest / 1_000_000;
    longest = 0;
    return taken;
  };
}
