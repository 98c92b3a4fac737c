import type { Account } from "@headwater/contracts";
import {
  CATEGORIES_MAX,
  type CriteriaNode,
  type NameInCriteria,
  namesInCriteria,
  nearestNames,
} from "@headwater/criteria";
import { createCache, HeadwaterError, systemClock } from "@headwater/kernel";
import type { CriteriaPorts } from "./criteriaPorts.ts";

/** A name or value that the account never had: it was counted as nobody's. */
export interface NeverSeen {
  readonly path: string;
  readonly code: "never_seen";
  readonly message: string;
  /** The nearest of those that it had. */
  readonly allowed?: readonly string[];
}

/** Names and values that data were found for. What was seen once needs no look again. */
export interface SeenNames {
  has(key: string): boolean;
  add(key: string): void;
}

const SEEN_MAX = 100_000;
const SEEN_TTL_MS = 3_600_000;

export function createSeenNames(): SeenNames {
  const seen = createCache<string, true>({ ttlMs: SEEN_TTL_MS, entriesMax: SEEN_MAX, clock: systemClock });
  return { has: (key) => seen.has(key), add: (key) => void seen.set(key, true) };
}

export interface Seeking {
  readonly account: Account;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** JSON pointer to the criteria in the request. */
  readonly at: string;
  readonly seen: SeenNames;
  readonly signal?: AbortSignal | undefined;
}

/** A warning is worth no longer wait. */
const TIMEOUT_MS = 2_000;

/** Finds the event names, properties and values in checked criteria that the account never had. None where looking takes too long. */
export async function findNeverSeen(
  criteria: CriteriaNode,
  seeking: Seeking,
  ports: Pick<CriteriaPorts, "clickHouse">,
): Promise<NeverSeen[]> {
  const { account, nowMs: now, seen } = seeking;
  const { timezone, currency } = account.settings;
  const { names, params } = namesInCriteria(criteria, { account: account.number, now, timezone, currency });
  const keyOf = ({ kind, key }: NameInCriteria) => `${account.number} ${kind} ${key}`;
  const asked = names.filter((name) => !seen.has(keyOf(name)));
  if (asked.length === 0) return [];
  try {
    const found = await findSeen(asked, params, seeking, ports);
    for (const name of found) seen.add(keyOf(name));
    const missing = asked.filter((name) => !found.has(name));
    const paths = new Set(missing.map(({ path }) => path));
    const own = missing.filter(({ within }) => within === undefined || !paths.has(within));
    return await Promise.all(own.map((name) => warningOf(name, params, seeking, ports)));
  } catch (error) {
    if (error instanceof HeadwaterError && error.status === 503) return [];
    throw error;
  }
}

type Params = Readonly<Record<string, unknown>>;

async function findSeen(
  names: readonly NameInCriteria[],
  params: Params,
  { signal }: Seeking,
  { clickHouse }: Pick<CriteriaPorts, "clickHouse">,
): Promise<Set<NameInCriteria>> {
  const selects = names.map(({ seenSql }, index) => `SELECT toUInt16(${index}) AS name FROM (${seenSql})`);
  const rows = await clickHouse.query<{ name: number }>(selects.join(" UNION ALL "), params, {
    timeoutMs: TIMEOUT_MS,
    ...(signal && { signal }),
  });
  return new Set(rows.flatMap(({ name }) => names[name] ?? []));
}

async function warningOf(
  { path, kind, name, othersSql }: NameInCriteria,
  params: Params,
  { at, signal }: Seeking,
  { clickHouse }: Pick<CriteriaPorts, "clickHouse">,
): Promise<NeverSeen> {
  const options = { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
  const others = othersSql === undefined ? [] : await clickHouse.query<{ name: string }>(othersSql, params, options);
  const isCategory = kind !== "value" || others.length <= CATEGORIES_MAX;
  const allowed = isCategory
    ? nearestOf(
        name,
        others.map((other) => other.name),
      )
    : [];
  const view = JSON.stringify(name.slice(0, DISPLAYED_CHARACTERS_MAX));
  return {
    path: `${at}${path}`,
    code: "never_seen",
    message: `The account never had the ${KINDS[kind]} ${view}.`,
    ...(allowed.length > 0 && { allowed }),
  };
}

/** Returns the nearest names; where none is near, the first ones. */
function nearestOf(name: string, names: readonly string[]): readonly string[] {
  const nearest = nearestNames(name, names);
  return nearest.length > 0 ? nearest : names.toSorted().slice(0, ALLOWED_MAX);
}

const ALLOWED_MAX = 20;
const DISPLAYED_CHARACTERS_MAX = 200;
const KINDS = { event: "event", property: "property", value: "value" } as const;
