import { defaultSettings } from "@headwater/contracts";
import type { Begun, Call, KeyedCall, StoredAnswer } from "@headwater/http";
import { createLogger } from "@headwater/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { createJudgingTurns } from "../entry/judgingTurns.ts";
import { partnerEndpoints } from "../partners/registry.ts";
import type { PartnerPorts } from "./ports.ts";
import { takePush } from "./takePush.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const caller = { kind: "key", id: "k", name: "k", account, scopes: ["intake"] } as const;
const nothing = () => undefined;
const nobody = () => Promise.reject(new Error("nobody is asked"));

let written: { readonly operation: string; readonly text: string }[] = [];
let lists: { readonly name: string; readonly isMade: boolean }[] = [];
let ports: PartnerPorts;
let calls = 0;
beforeEach(() => {
  [written, lists] = [[], []];
  ports = {
    logger: createLogger({ name: "test", level: "silent" }),
    partitions: 1,
    sealReceipt: ({ requestId }) => `receipt of ${requestId}`,
    idempotency: memoryIdempotency(),
    counts: { items: nothing, bytes: nothing, records: nothing },
    turns: createJudgingTurns(),
    refuseWhenBehind: nothing,
    async append({ name: operation }, { entries }) {
      for (const { text } of entries) written.push({ operation, text: text.toString() });
      return [];
    },
    keys: { find: nobody, changed: nothing, usedSince: () => [] },
    accounts: { byId: nobody },
    lists: {
      async resolve(_account, _partner, { name, isMade: isCreated }) {
        lists.push({ name, isMade: isCreated });
        return { kind: "unknown", name };
      },
      change: nobody,
    },
  };
});

function memoryIdempotency(): PartnerPorts["idempotency"] {
  const rows = new Map<string, { readonly requestId: string; readonly bodyHash: string; answer?: StoredAnswer }>();
  const nameOf = ({ route, key }: KeyedCall) => `${route} ${key}`;
  return {
    async begin(call, { requestId, bodyHash }): Promise<Begun> {
      const row = rows.get(nameOf(call)) ?? { requestId, bodyHash };
      rows.set(nameOf(call), row);
      if (row.bodyHash !== bodyHash) return { kind: "reused" };
      const { answer } = row;
      return answer === undefined ? { kind: "run", requestId } : { kind: "answered", requestId: row.requestId, answer };
    },
    async complete(call, _requestId, answer) {
      Object.assign(rows.get(nameOf(call)) ?? {}, { answer });
    },
    release: async () => undefined,
  };
}

/** Pushes a body as its sender does. */
function push(
  path: string,
  value: object,
  { key, query = {} }: { readonly key?: string; readonly query?: object } = {},
) {
  const endpoint = partnerEndpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`no endpoint ${path}`);
  calls += 1;
  const call: Call = {
    requestId: `request${calls}`,
    method: "POST",
    caller,
    stream: (async function* () {
      yield* [];
    })(),
    traceparent: undefined,
    clientAddress: undefined,
    admit: () => caller,
    receivedAtMs: Date.UTC(2026, 0, 9),
    bytes: Buffer.from(JSON.stringify(value)),
    mediaType: "application/json",
    params: {},
    query,
    header: (name) => (name === "idempotency-key" ? key : undefined),
    signal: new AbortController().signal,
  };
  return takePush(ports, { endpoint, call, caller, value });
}

const CART = "/api/pipeline/addProductToCart";
const product = { productID: "p", sku: "s", category: "c", name: "n", qty: 1 };
const added = { anonymousId: "a", ...product };

describe("a push by a key of the account", () => {
  test("is written once for its Idempotency-Key, with records that are marked as keyed", async () => {
    const first = await push(CART, added, { key: "k1" });
    const again = await push(CART, added, { key: "k1" });
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
    expect(again.headers).toMatchObject({ "Idempotency-Replayed": "true" });
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0]?.text ?? "")).toMatchObject({ keyed: true });
    await expect(push(CART, { ...added, qty: 2 }, { key: "k1" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    await push(CART, added);
    expect(written).toHaveLength(2);
  });

  test("gets the refusal of its first call again, with the status of its endpoint", async () => {
    const cohort = { contacts: [], cohortId: "c" };
    const answers = [await push("/api/cohortsync/addContactsToList", cohort, { key: "k" })];
    answers.push(await push("/api/cohortsync/addContactsToList", cohort, { key: "k" }));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([400, answers[0]?.body]));
  });

  test("with validateOnly is judged part by part: nothing is written, and no list is made", async () => {
    const contacts = [{ email: "ada@example.com" }, { email: "" }, { email: "nobody" }];
    const cohort = { contacts, cohortId: "c", cohortName: "Spring" };
    const { status, body } = await push("/api/cohortsync/addContactsToList", cohort, {
      query: { validateOnly: "true" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ valid: 1, rejected: 1, items: [{ index: 1, status: "rejected" }] },
      warnings: [{ index: 0, path: "/contacts", code: "not_an_address" }],
    });
    expect(lists).toEqual([{ name: "Spring", isMade: false }]);
    const query = { validateOnly: "" };
    expect((await push(CART, added, { query })).body).toMatchObject({ valid: 1, rejected: 0, items: [] });
    expect((await push(CART, { ...added, qty: -1 }, { query })).body).toMatchObject({
      valid: 0,
      rejected: 1,
      items: [{ index: 0, status: "rejected", code: "VALIDATION_ERROR", path: "/qty" }],
    });
    expect(written).toEqual([]);
  });

  test("may have parameters of its sender's, but none of ours with another value", async () => {
    expect((await push(CART, added, { query: { source: "x", validateOnly: "false" } })).status).toBe(202);
    await expect(push(CART, added, { query: { validateOnly: "maybe" } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: [{ path: "/validateOnly" }],
    });
    expect(written).toHaveLength(1);
  });
});
