import { withTimeout } from "@headwater/kernel";

/** Finds many names by one query; those that nobody has are left out. */
export type FindMany<Value> = (names: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

export interface FirstLookupsOptions<Value> {
  readonly findMany: FindMany<Value>;
  readonly timeoutMs: number;
  /** Questions on their way at one time. */
  readonly questionsMax?: number;
  /** Names in one question. */
  readonly namesMax?: number;
  /** Names that wait, over all addresses; each has at most as many as are left free. */
  readonly waitingMax?: number;
}

export interface FirstLookups<Value> {
  /** @throws (rejects) when the store does not answer, and when too many of this address wait. */
  find(name: string, address: string): Promise<Value | undefined>;
}

interface Waiting<Value> {
  readonly name: string;
  readonly answered: PromiseWithResolvers<Value | undefined>;
}

/**
 * Looks up names that were never seen, which anybody can make up without end: many in one question, few questions at a time,
 * and the addresses in turn, so that made-up names cost the store little and hold nobody else's up.
 */
export function createFirstLookups<Value>(options: FirstLookupsOptions<Value>): FirstLookups<Value> {
  const { findMany, timeoutMs, questionsMax = 2, namesMax = 256, waitingMax = 20_000 } = options;
  const byAddress = new Map<string, Waiting<Value>[]>();
  let waiting = 0;
  let questions = 0;
  let isPlanned = false;

  /** Plans a look-up after what has arrived in this turn of the loop is read. */
  function plan(): void {
    if (isPlanned || questions >= questionsMax || waiting === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      ask(takeInTurn(byAddress, namesMax));
      plan();
    });
  }

  function ask(asked: readonly Waiting<Value>[]): void {
    waiting -= asked.length;
    questions += 1;
    withTimeout(() => findMany(asked.map(({ name }) => name)), timeoutMs)
      .then(
        (found) => {
          for (const { name, answered } of asked) answered.resolve(found.get(name));
        },
        (error: unknown) => {
          for (const { answered } of asked) answered.reject(error);
        },
      )
      .finally(() => {
        questions -= 1;
        plan();
      });
  }

  return {
    find(name, address) {
      const own = byAddress.get(address) ?? [];
      if (own.length >= waitingMax - waiting) return Promise.reject(new Error("too many look-ups wait"));
      const answered = Promise.withResolvers<Value | undefined>();
      own.push({ name, answered });
      byAddress.set(address, own);
      waiting += 1;
      plan();
      return answered.promise;
    },
  };
}

/** One of each address, then the next of each, up to so many. */
function takeInTurn<Value>(byAddress: Map<string, Waiting<Value>[]>, most: number): Waiting<Value>[] {
  const taken: Waiting<Value>[] = [];
  // An address that is put back stands behind the others, and its turn comes again.
  for (const [address, own] of byAddress) {
    const first = own.shift();
    if (first !== undefined) taken.push(first);
    byAddress.delete(address);
    if (own.length > 0) byAddress.set(address, own);
    if (taken.length === most) break;
  }
  return taken;
}

/** Adapts a store that is asked for one name at a time. */
export function oneByOne<Value>(find: (name: string) => Promise<Value | undefined>): FindMany<Value> {
  return async (names) => {
    const found = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
    return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
  };
}
