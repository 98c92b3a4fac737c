/** A webhook of an account. */
export interface Endpoint {
  /** The account's number. */
  readonly account: number;
  readonly webhook: string;
}

/** Calls that a process may have open at a time, shared by accounts and their endpoints. */
export interface CallSlots {
  /** Returns how many further calls to an endpoint may be opened now. */
  capacityOf(endpoint: Endpoint): number;
  take(endpoint: Endpoint): void;
  /** @param isDelivered undefined for a slot that was not used. */
  give(endpoint: Endpoint, isDelivered?: boolean): void;
}

/** Calls that an endpoint may have open of which nothing is known yet. */
const FIRST_CALLS = 2;
/** Endpoints whose credit is remembered. */
const CREDITS_MAX = 10_000;

/**
 * Shares slots that a receiver may hold for as long as a call lasts. An endpoint begins with few of them, gets one more with each success, and
 * has one after a failure: sixty that hang hold few together. None holds as much as its account would leave free of what all others leave,
 * so that the next endpoint and every other account find some (the dynamic threshold of Choudhury and Hahne, 1998, at two levels).
 * @param perEndpointMax calls that an endpoint may have open in any case.
 */
export function createCallSlots(slots: number, perEndpointMax: number): CallSlots {
  const byAccount = new Map<number, number>();
  const byEndpoint = new Map<string, number>();
  /** Calls that an endpoint may have open, those that were asked for last at the end. */
  const credits = new Map<string, number>();
  let free = slots;
  const setCredit = (name: string, credit: number) => {
    credits.delete(name);
    credits.set(name, Math.min(perEndpointMax, credit));
    const [oldest] = credits.keys();
    if (credits.size > CREDITS_MAX && oldest !== undefined) credits.delete(oldest);
  };
  return {
    capacityOf(endpoint) {
      const name = nameOf(endpoint);
      const ofAccount = byAccount.get(endpoint.account) ?? 0;
      const held = byEndpoint.get(name) ?? 0;
      const credit = credits.get(name) ?? FIRST_CALLS;
      let more = 0;
      // Each further call takes one of the free slots and one of the account's.
      while (held + more < Math.min(credit, free - ofAccount - 2 * more)) more += 1;
      return more;
    },
    take(endpoint) {
      free -= 1;
      add(byAccount, endpoint.account, 1);
      add(byEndpoint, nameOf(endpoint), 1);
    },
    give(endpoint, isDelivered) {
      const name = nameOf(endpoint);
      free += 1;
      add(byAccount, endpoint.account, -1);
      add(byEndpoint, name, -1);
      if (isDelivered !== undefined) setCredit(name, isDelivered ? (credits.get(name) ?? FIRST_CALLS) + 1 : 1);
    },
  };
}

function nameOf({ account, webhook }: Endpoint): string {
  return `${account}/${webhook}`;
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
