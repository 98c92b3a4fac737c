/**
 * Bisects items to those that fail each by itself; of items that fail only together, to the last one.
 * @param fails a trial that leaves nothing behind. @returns none when all of them pass now, or when none at all fails as well.
 */
export async function findPoison<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  if (await fails([])) return [];
  const alone = await findAlone(items, fails);
  return alone.length > 0 ? alone : findLast(items, fails);
}

async function findAlone<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  if (items.length === 0 || !(await fails(items))) return [];
  if (items.length === 1) return [...items];
  const middle = items.length >> 1;
  const before = await findAlone(items.slice(0, middle), fails);
  return [...before, ...(await findAlone(items.slice(middle), fails))];
}

/** The item that fails with those before it, and without which these do not. */
async function findLast<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  if (!(await fails(items))) return [];
  let [passes, fewest] = [0, items.length];
  while (fewest - passes > 1) {
    const middle = (passes + fewest) >> 1;
    if (await fails(items.slice(0, middle))) fewest = middle;
    else passes = middle;
  }
  return items.slice(fewest - 1, fewest);
}
