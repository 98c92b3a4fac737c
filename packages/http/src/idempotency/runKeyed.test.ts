import { describe, expect, it } from "vitest";
import type { Answer } from "../answers/answer.ts";
import { refusal } from "../answers/refusal.ts";
import type { Begun, IdempotencyStore, LeaseStore, StoredAnswer } from "./idempotencyStore.ts";
import { findAnswer, findClaim, runKeyed } from "./runKeyed.ts";

const call = { account: 1, route: "POST /api/upsertContact", key: "k" };

function createStore() {
  let row: { requestId: string; bodyHash: string; isLeased: boolean; answer?: StoredAnswer } | undefined;
  const state = { failsToBegin: false, failsToComplete: false };
  const store: LeaseStore = {
    async begin(_call, { requestId, bodyHash }): Promise<Begun> {
      if (state.failsToBegin) throw new Error("away");
      row ??= { requestId, bodyHash, isLeased: false };
      if (row.bodyHash !== bodyHash) return { kind: "reused" };
      if (row.answer !== undefined) return { kind: "answered", requestId: row.requestId, answer: row.answer };
      if (row.isLeased) return { kind: "inProgress" };
      row.isLeased = true;
      return { kind: "run", requestId: row.requestId };
    },
    async complete(_call, _requestId, answer) {
      if (state.failsToComplete) throw new Error("away");
      if (row !== undefined) row.answer = answer;
    },
    async release() {
      if (row !== undefined) row.isLeased = false;
    },
  };
  return { store, state };
}

let requests = 0;
const runWith = (store: IdempotencyStore, run: (requestId: string) => unknown, body = "body") =>
  runKeyed(store, {
    call,
    body,
    requestId: `R${++requests}`,
    run: async (requestId) => ({ status: 202, body: run(requestId) }),
  });

describe("a call with a key", () => {
  it("runs once, and every repeat gets the first answer under the first request id", async () => {
    const { store } = createStore();
    const runs: string[] = [];
    const run = (requestId: string) => ({ requestId, run: runs.push(requestId) });
    const first = await runWith(store, run);
    const again = await runWith(store, run);
    expect(runs).toHaveLength(1);
    expect(again).toMatchObject({ status: 202, body: first.body, requestId: first.requestId });
    expect([first.headers, again.headers]).toEqual([undefined, { "Idempotency-Replayed": "true" }]);
  });

  it("a keyed call that failed with 503 continues under the same request id", async () => {
    const { store } = createStore();
    const ids: string[] = [];
    const first = await runWith(store, (requestId) => {
      ids.push(requestId);
      throw refusal("SERVICE_UNAVAILABLE", "away");
    });
    const again = await runWith(store, (requestId) => ids.push(requestId));
    expect([first.status, again.status, again.headers]).toEqual([503, 202, undefined]);
    expect(new Set(ids).size).toBe(1);
  });

  it("whose answer cannot be stored gets 503, and its retry runs under the same request id", async () => {
    const { store, state } = createStore();
    const ids: string[] = [];
    state.failsToComplete = true;
    await expect(runWith(store, (requestId) => ids.push(requestId))).rejects.toMatchObject({ status: 503 });
    state.failsToComplete = false;
    expect((await runWith(store, (requestId) => ids.push(requestId))).status).toBe(202);
    expect(new Set(ids).size).toBe(1);
  });

  it("a keyed call that cannot be stored before it begins gets 503 and does not run", async () => {
    const { store, state } = createStore();
    state.failsToBegin = true;
    let runs = 0;
    await expect(runWith(store, () => ++runs)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(runs).toBe(0);
  });

  it("with another body or query is refused", async () => {
    const { store } = createStore();
    await runWith(store, () => ({}), "one");
    await expect(runWith(store, () => ({}), "two")).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
      status: 422,
      message: expect.stringContaining("body or query"),
    });
  });

  it("gets a refusal of the table again, too", async () => {
    const { store } = createStore();
    const refuse = () => {
      throw refusal("VALIDATION_ERROR", "wrong");
    };
    const first = await runWith(store, refuse);
    const again = await runWith(store, refuse);
    expect([first.status, again.status, again.body]).toEqual([422, 422, first.body]);
  });
});

describe("a call with a key whose write is a transaction", () => {
  /** Stands for Postgres: what a transaction stored is there once it has committed. */
  function createDatabase() {
    let row: { readonly requestId: string; readonly bodyHash: string; readonly answer?: StoredAnswer } | undefined;
    const begunOf = (bodyHash: string): Begun | undefined => {
      if (row === undefined) return undefined;
      if (row.bodyHash !== bodyHash) return { kind: "reused" };
      return row.answer === undefined ? { kind: "inProgress" } : { ...row, kind: "answered", answer: row.answer };
    };
    const transaction = async (run: (store: IdempotencyStore) => Promise<Answer>) => {
      const before = row;
      try {
        return await run({
          async begin(_call, { requestId, bodyHash }) {
            const begun = begunOf(bodyHash);
            if (begun === undefined) row = { requestId, bodyHash };
            return begun ?? { kind: "run", requestId };
          },
          async complete(_call, _requestId, answer) {
            if (row !== undefined) row = { ...row, answer };
          },
        });
      } catch (error) {
        row = before;
        throw error;
      }
    };
    return { transaction, find: async (_call: unknown, { bodyHash }: { bodyHash: string }) => begunOf(bodyHash) };
  }

  const keyedOf = (body: string) => ({ call, body, requestId: `R${++requests}` });
  const created = { status: 201, body: { token: "secret" }, headers: { ETag: "1" } };
  const repeat = { status: 201, body: {}, headers: { ETag: "1" } };

  it("answers a repeat with what it is to get, headers too, and the first caller with the answer alone", async () => {
    const database = createDatabase();
    const run = async () => ({ ...created, repeat });
    const write = () => database.transaction((store) => runKeyed(store, { ...keyedOf("body"), run }));
    const first = await write();
    const { requestId } = first;
    expect(first).toEqual({ ...created, requestId });
    const headers = { ETag: "1", "Idempotency-Replayed": "true" };
    expect(await write()).toEqual({ ...repeat, requestId, headers });
    expect(await findAnswer(database, keyedOf("body"))).toEqual({ ...repeat, requestId, headers });
    await expect(findAnswer(database, keyedOf("other"))).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("throws on what the write is refused for, and leaves nothing behind", async () => {
    const database = createDatabase();
    const refused = database.transaction((store) =>
      runKeyed(store, { ...keyedOf("one"), run: () => Promise.reject(refusal("VALIDATION_ERROR", "wrong")) }),
    );
    await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await findAnswer(database, keyedOf("one"))).toBeUndefined();
    const run = async () => ({ ...created, repeat });
    expect(await database.transaction((store) => runKeyed(store, { ...keyedOf("two"), run }))).toMatchObject(created);
    expect(await findClaim(database, keyedOf("two"))).toMatchObject({ kind: "answered" });
  });

  it("throws on what its store fails with, so that a transaction that lost to another runs again", async () => {
    const lost = new Error("could not serialize access");
    const store: IdempotencyStore = { begin: () => Promise.reject(lost), complete: async () => undefined };
    await expect(runKeyed(store, { ...keyedOf("body"), run: async () => created })).rejects.toBe(lost);
  });
});
