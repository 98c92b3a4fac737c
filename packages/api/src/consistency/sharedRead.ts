interface PendingRead<Key, Seen> {
  readonly keys: Key[];
  readonly answered: PromiseWithResolvers<Seen>;
}

/**
 * Coalesces calls of the same turn of the event loop, and those made while a read is in flight, into one read: a thousand callers cost what
 * one does. A read begins after every call that it answers, so no answer is older than its question.
 */
export function createSharedRead<Key, Seen>(
  read: (keys: readonly Key[]) => Promise<Seen>,
): (key: Key) => Promise<Seen> {
  let next: PendingRead<Key, Seen> | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const pending = next;
    next = undefined;
    if (pending === undefined) return;
    isLooking = true;
    try {
      pending.answered.resolve(await read(pending.keys));
    } catch (error) {
      pending.answered.reject(error);
    }
    isLooking = false;
    if (next !== undefined) setImmediate(() => void look());
  }

  return (key) => {
    if (next === undefined) {
      next = { keys: [], answered: Promise.withResolvers() };
      if (!isLooking) setImmediate(() => void look());
    }
    next.keys.push(key);
    return next.answered.promise;
  };
}
