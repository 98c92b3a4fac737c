import type { Apps } from "../harness/apps.ts";
import { type Calls, createCalls } from "../harness/calls.ts";
import { until } from "../harness/until.ts";

/**
 * An account that nobody writes to while a disaster happens: each of its answers has one right value. Part of it is written before a copy of
 * a store is taken and part afterwards, so that the copy would answer otherwise.
 */

const PEOPLE_PER_PART = 12;
const COLORS = ["red", "green", "blue"];
const EVENT_TIME_MS = Date.UTC(2026, 0, 1);

/** One call whose answer is known. */
export interface Read {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  /** True where the answer comes from ClickHouse, in whole or in part. */
  readonly isAnalytical: boolean;
  /** The rows come in the order of numbers, which others get when the log is read again. */
  readonly isByNumber?: true;
}

export interface Answer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

const count = (body: object): Read => ({ method: "POST", path: "/v2/audiencecount", body, isAnalytical: true });
const analytical = (path: string): Read => ({ method: "GET", path, isAnalytical: true });
const stored = (path: string): Read => ({ method: "GET", path, isAnalytical: false });
const emailOf = (n: number) => `frozen${n}@example.com`;
const customerOf = (n: number) => `frozen${n}`;
const partName = (part: number) => `part${part}`;
const firstOfPart = (part: number) => part * PEOPLE_PER_PART;

/** Calls that together read every table: `lastPart` is the last one that was written. */
export function readsOf(lastPart: number): readonly Read[] {
  const last = `customer_id:${customerOf(firstOfPart(lastPart))}`;
  return [
    count({ field: "attributes.plan", op: "eq", value: "frozen" }),
    count({ field: "attributes.color", op: "eq", value: COLORS[0] }),
    count({ list: "frozen-people", op: "in" }),
    count({ order: true, where: [{ field: "totalAmount", op: "gt", value: 0 }] }),
    count({ event: "browse" }),
    count({ and: [{ event: "browse" }, { field: "attributes.color", op: "neq", value: COLORS[1] }], explain: true }),
    analytical("/v2/contactactivities?return_count=true&per_page=100"),
    analytical(`/v2/contacts/${last}/history`),
    analytical("/v2/accountcontactattributes/color/values"),
    { ...stored("/v2/contacts?return_count=true&per_page=100"), isByNumber: true },
    stored(`/v2/contacts/${last}`),
    { ...stored("/v2/orders?return_count=true&per_page=100"), isByNumber: true },
    stored(`/v2/contacts/${last}/cart`),
    stored("/v2/accountlists?return_count=true"),
    stored("/v2/accountcontactattributes"),
  ];
}

export interface FrozenAccount extends Calls {
  /** Criteria of everybody of the part that was written last, and their number. */
  lastPart(): { readonly criteria: object; readonly people: number };
  write(): Promise<void>;
  /** Waits until analytical answers hold everything that was written. */
  untilShown(): Promise<void>;
  reads(): readonly Read[];
  /** @returns status 0 without an answer. */
  ask(read: Read): Promise<Answer>;
}

const ANSWER_TIMEOUT_MS = 20_000;
const VIEW = { timeoutMs: 60_000, everyMs: 500 };
/** Members that say when an answer was made. */
const VOLATILE: ReadonlySet<string> = new Set(["asOf", "requestId", "nextCursor", "lastUsed"]);

export function createFrozenAccount(apps: Apps, apiKey: string): FrozenAccount {
  const calls = createCalls(apps, apiKey);
  const asked: FrozenAccount["ask"] = (read) => ask(`http://127.0.0.1:${apps.servicePort}`, apiKey, read);
  let parts = 0;
  return {
    ...calls,
    lastPart: () => ({
      criteria: { field: "attributes.part", op: "eq", value: partName(parts - 1) },
      people: PEOPLE_PER_PART,
    }),
    async write() {
      await writePart(calls, parts);
      parts += 1;
    },
    reads: () => readsOf(parts - 1),
    untilShown: () => untilView(asked, parts),
    ask: asked,
  };
}

/** Waits until counts are right, and then until all answers are the same twice: history and values have no count. */
async function untilView(asked: FrozenAccount["ask"], parts: number): Promise<void> {
  const people = parts * PEOPLE_PER_PART;
  const counted = [
    { field: "attributes.plan", op: "eq", value: "frozen" },
    { event: "browse" },
    { list: "frozen-people", op: "in" },
    { order: true, where: [{ field: "totalAmount", op: "gt", value: 0 }] },
  ];
  let before = "";
  const check = async () => {
    for (const criteria of counted) {
      const { body } = await asked(count(criteria));
      if (body.count !== people) return `${JSON.stringify(criteria)}: ${JSON.stringify(body)}`;
    }
    const answers: Answer[] = [];
    for (const read of readsOf(parts - 1)) answers.push(await asked(read));
    const now = JSON.stringify(answers);
    const isSame = now === before;
    before = now;
    return isSame ? undefined : "answers still change";
  };
  await until(check, VIEW);
}

async function writePart({ send }: Calls, part: number): Promise<void> {
  const numbers = Array.from({ length: PEOPLE_PER_PART }, (_, index) => firstOfPart(part) + index);
  const identifiers = (n: number) => ({ email: emailOf(n), customer_id: customerOf(n) });
  const inBatch = (operation: string, itemOf: (n: number) => object) =>
    send(`${operation}/batch`, { items: numbers.map(itemOf) });
  const upsert = (n: number, color: string | undefined) => ({
    identifiers: identifiers(n),
    ...{ canBeCreated: true, canBeUpdated: true },
    attributes: { plan: "frozen", part: partName(part), color },
  });
  await inBatch("upsertContact", (n) => upsert(n, COLORS[n % 2]));
  // Everybody has a history of two values.
  await inBatch("upsertContact", (n) => upsert(n, COLORS[n % COLORS.length]));
  await inBatch("createContactactivities", (n) => ({
    contact: { identifiers: identifiers(n) },
    contactactivities: [0, 1].map((nth) => ({
      name: "browse",
      time: new Date(EVENT_TIME_MS + 1_000 * (2 * n + nth)).toISOString(),
    })),
  }));
  await inBatch("upsertOrder", (n) => ({
    contact: { identifiers: identifiers(n) },
    order: {
      ...{ orderID: `frozen-${n}`, purchaseDate: "2026-01-02T00:00:00Z", status: "Completed" },
      items: [{ productID: "p", sku: "p", name: "Thing", itemPrice: 2.5, qty: 2 }],
    },
  }));
  await inBatch("addContactsToList", (n) => ({ identifiers: [{ email: emailOf(n) }], listName: "frozen-people" }));
  await inBatch("addProductsToCart", (n) => ({
    contact: { identifiers: identifiers(n) },
    products: [{ productID: "p", sku: "p", name: "Thing", category: "things", itemPrice: 2.5, qty: 1 }],
  }));
}

async function ask(origin: string, apiKey: string, { method, path, body, isByNumber }: Read): Promise<Answer> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(`${origin}${path}`, { method, headers, ...sent, signal });
    const view = withoutTimes(await answer.json());
    if (isByNumber === true && Array.isArray(view.data)) view.data = view.data.map(textOf).toSorted();
    return { status: answer.status, body: view };
  } catch (error) {
    return { status: 0, body: String(error) };
  }
}

const textOf = (row: unknown) => JSON.stringify(row);

function withoutTimes(value: ReturnType<typeof JSON.parse>): ReturnType<typeof JSON.parse> {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !VOLATILE.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutTimes(member)]));
}
