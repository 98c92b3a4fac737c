interface Gathered<Key, Seen> {
  readonly keys: Key[];
  readonly answered: PromiseWithResolvers<Seen>;
}

/**
 * One look for all who ask in the same turn of the event loop or while a look is under way: a thousand that ask cost what one does.
 * A look begins after everybody whom it answers has asked, so no answer is older than its question.
 */
export function createGatheredLook<Key, Seen>(
  read: (keys: readonly Key[]) => Promise<Seen>,
): (key: Key) => Promise<Seen> {
  let open: Gathered<Key, Seen> | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const gathered = open;
    open = undefined;
    if (gathered === undefined) return;
    isLooking = true;
    try {
      gathered.answered.resolve(await read(gathered.keys));
    } catch (error) {
      gathered.answered.reject(error);
    }
    isLooking = false;
    if (open !== undefined) setImmediate(() => void look());
  }

  return (key) => {
    if (open === undefined) {
      open = { keys: [], answered: Promise.withResolvers() };
      if (!isLooking) setImmediate(() => void look());
    }
    open.keys.push(key);
    return open.answered.promise;
  };
}
