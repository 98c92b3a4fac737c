import { identityText, partitionOf } from "@headwater/contracts";
import type { Random } from "../harness/random.ts";

/**
 * One person as senders know them. All identifiers lie on one partition, so that the order of the log is the order of
 * commit and a model can replay it. Some are known by two customer ids, some never become contacts.
 */
export interface Person {
  readonly index: number;
  readonly partition: number;
  readonly email: string;
  readonly customerIds: readonly [string, ...string[]];
  readonly anonymousId: string;
  readonly isGhost: boolean;
}

export interface PeopleOptions {
  readonly accountId: string;
  readonly partitions: number;
  readonly count: number;
  readonly random: Random;
  /** Index of the first of them; default 0. */
  readonly firstIndex?: number;
}

const GHOSTS_SHARE = 0.01;
const TWO_IDS_SHARE = 0.3;

export function createPeople({
  accountId,
  partitions,
  count,
  random,
  firstIndex = 0,
}: PeopleOptions): readonly [Person, ...Person[]] {
  const make = (index: number): Person => {
    const partition = random.int(partitions);
    const on = (name: string, form: (salt: number) => string): string => {
      for (let salt = 0; ; salt++) {
        const value = form(salt);
        if (partitionOf(identityText(accountId, { name, value }), partitions) === partition) return value;
      }
    };
    const first = on("customer_id", (salt) => `${index}${String(salt).padStart(4, "0")}`);
    const second = random.chance(TWO_IDS_SHARE) ? [on("customer_id", (salt) => `k${index}-${salt}`)] : [];
    return {
      index,
      partition,
      email: on("email", (salt) => `p${index}.${salt}@example.com`),
      customerIds: [first, ...second],
      anonymousId: on("anonymousId", (salt) => `a${index}-${salt}`),
      isGhost: random.chance(GHOSTS_SHARE),
    };
  };
  return [make(firstIndex), ...Array.from({ length: count - 1 }, (_none, position) => make(firstIndex + position + 1))];
}
