import { deepEqual, equal, rejects } from "node:assert/strict";
import { type Account, defaultSettings } from "@headwater/contracts";
import type { BatchEnd, StateStore, StateTransaction } from "@headwater/intake/state/stateStore";
import { noReads, type StateReads } from "@headwater/records/fold/stateReads";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { deadLetterRow } from "./parkedContract.ts";
import { upsertCities } from "./upsertCities.ts";

/** A store of the state, with an account that it knows. */
export interface StateUnderTest {
  readonly store: StateStore;
  readonly account: Account;
}

const AT = { topic: "intake.records", partition: 3 };
const NOW = 9_000;
/** Folds contacts with the addresses over the state and stores what changes. @returns kinds of the outcomes. */
const upsert = (transaction: StateTransaction, account: Account, ...emails: readonly string[]) =>
  upsertCities(transaction, emails, { account, nowMs: NOW, ...AT });
const reads = (listName?: string): StateReads => ({ ...noReads, ...(listName !== undefined && { listName }) });

function endOf(nextOffset: number, more: Partial<BatchEnd> = {}): BatchEnd {
  const nothing = {
    resolutions: undefined,
    rejects: [],
    settled: [],
    redriven: [],
    receiptCounts: [],
    outcomeCounts: [],
  };
  const mark = { print: "0123456789abcdef", epoch: 2 };
  const row = { nextOffset, lastRecordId: `r${nextOffset}`, greatestTime: nextOffset, outboxPosition: 0 };
  return {
    ...nothing,
    applied: [],
    imported: [],
    triggered: [],
    uncompared: [],
    offset: { ...row, windowFrom: nextOffset, mark },
    nowMs: NOW,
    ...more,
  };
}

async function opened({ store }: StateUnderTest) {
  await store.open({ ...AT, low: 4 });
  return store.keyOf(AT);
}

/** Runs writes from the stored offset 4, with an end at 6. */
async function write(
  under: StateUnderTest,
  run: (transaction: StateTransaction) => Promise<unknown>,
  { from = 4, to = 6, end }: { readonly from?: number; readonly to?: number; readonly end?: Partial<BatchEnd> } = {},
) {
  const key = await opened(under);
  return under.store.transaction({ key, fromOffset: from }, async (transaction) => {
    await run(transaction);
    await transaction.storeEnd(key, endOf(to, end));
  });
}

/** Returns which of the addresses find a contact. */
async function found(under: StateUnderTest, ...emails: readonly string[]): Promise<readonly string[]> {
  const key = await opened(under);
  const { nextOffset } = await under.store.open({ ...AT, low: 0 });
  const rows = emptyRows();
  const account = under.account.number;
  const identifiers = emails.map((value) => ({ name: "email", value }));
  const read = await under.store.transaction({ key, fromOffset: nextOffset }, (transaction) =>
    transaction.loadReads(
      identifiers.map((identifier) => ({ kind: "owner", account, identifier })),
      rows,
    ),
  );
  equal(read.kind, "stored");
  return identifiers.filter((one) => typeof rows.owners.get(account, one) === "number").map(({ value }) => value);
}

const nextOffset = async ({ store }: StateUnderTest) => (await store.open({ ...AT, low: 0 })).nextOffset;

/** Promises of every store of the state, in memory or in Postgres: each is given an empty one in which nothing was opened. */
export const stateStoreContract: readonly (readonly [
  promise: string,
  check: (under: StateUnderTest) => Promise<void>,
])[] = [
  [
    "state and the offset behind the batch are stored together, and a later batch finds them",
    async (under) => {
      await write(under, (transaction) => upsert(transaction, under.account, "a@x.org", "b@x.org"));
      deepEqual(await found(under, "a@x.org", "b@x.org", "c@x.org"), ["a@x.org", "b@x.org"]);
      const { nextOffset, lastRecordId, greatestTime, windowFrom, mark } = await under.store.open({ ...AT, low: 0 });
      deepEqual([nextOffset, lastRecordId, greatestTime, windowFrom], [6, "r6", 6, 6]);
      deepEqual(mark, { print: "0123456789abcdef", epoch: 2 });
    },
  ],
  [
    "a batch that fails leaves nothing, and the offset where it was",
    async (under) => {
      const failing = write(under, async (transaction) => {
        await upsert(transaction, under.account, "a@x.org");
        throw new Error("killed");
      });
      await rejects(failing, { message: "killed" });
      deepEqual([await found(under, "a@x.org"), await nextOffset(under)], [[], 4]);
    },
  ],
  [
    "a batch that begins at another offset is not run and gets the stored one",
    async (under) => {
      await write(under, async () => undefined);
      const run = () => Promise.reject(new Error("it was run"));
      deepEqual(await write(under, run, { from: 4 }), { kind: "elsewhere", nextOffset: 6 });
      deepEqual(await write(under, run, { from: 7 }), { kind: "elsewhere", nextOffset: 6 });
    },
  ],
  [
    "of two owners that apply a batch at once one stores it, and the other gets the offset behind it",
    async (under) => {
      const apply = () => write(under, (transaction) => upsert(transaction, under.account, "a@x.org"));
      const kinds = (await Promise.all([apply(), apply()])).map(({ kind }) => kind);
      deepEqual(kinds.sort(), ["elsewhere", "stored"]);
    },
  ],
  [
    "a savepoint that fails and a rehearsal leave nothing behind, and the batch goes on",
    async (under) => {
      await write(under, async (transaction) => {
        await transaction.savepoint((part) => upsert(part, under.account, "kept@x.org"));
        const failing = transaction.savepoint(async (part) => {
          await upsert(part, under.account, "failed@x.org");
          throw new TypeError("refused");
        });
        await rejects(failing, { message: "refused" });
        await transaction.rehearse((part) => upsert(part, under.account, "rehearsed@x.org"));
        await transaction.savepoint((part) => upsert(part, under.account, "last@x.org"));
      });
      const emails = ["kept@x.org", "failed@x.org", "rehearsed@x.org", "last@x.org"];
      deepEqual(await found(under, ...emails), ["kept@x.org", "last@x.org"]);
    },
  ],
  [
    "keyed records and rows of imports that were dealt with are known from then on",
    async (under) => {
      const account = under.account.number;
      const job = "65f0c0ffee65f0c0ffee0001";
      const none = { inserted: 1, updated: 0, ignored: 0, rejected: 0, errors: 0 };
      const imported = [{ account, job, partition: AT.partition, lastRow: 7, ...none }];
      await write(under, async () => undefined, { end: { applied: [{ account, recordId: "k1" }], imported } });
      await write(
        under,
        async (transaction) => {
          const keys = ["k1", "k2"].map((recordId) => ({ account, recordId }));
          deepEqual([...(await transaction.appliedRecords(keys))], ["k1"]);
          deepEqual(await transaction.importedRows([{ account, job }], AT.partition), [{ account, job, lastRow: 7 }]);
          deepEqual(await transaction.importedRows([{ account, job }], AT.partition + 1), []);
        },
        { from: 6, to: 8 },
      );
    },
  ],
  [
    "refused records are known by their places and statuses, and settled ones keep their end",
    async (under) => {
      const account = under.account.number;
      const parked = deadLetterRow("p", { account, logOffset: 5, status: "parked", dueAt: NOW });
      await write(under, async () => undefined, {
        end: { rejects: [deadLetterRow("o", { account, logOffset: 4, place: 1 }), parked] },
      });
      const positions = await under.store.refusedPositions({ ...AT, from: 4, to: 6 });
      deepEqual(
        positions.map(({ logOffset, place: position }) => [logOffset, position]),
        [
          [4, 1],
          [5, 0],
        ],
      );
      const resolved = [{ account, recordId: "p", status: "applied" as const, code: "" }];
      await write(under, async () => undefined, { from: 6, to: 8, end: { settled: resolved } });
      const rows = await under.store.refusalStatuses(["o", "p", "q"].map((recordId) => ({ account, recordId })));
      deepEqual(rows.map(({ recordId, status }) => `${recordId} ${status}`).sort(), ["o open", "p applied"]);
      await write(
        under,
        async (transaction) => {
          const [locked] = await transaction.lockRejects([{ account, recordId: "o" }]);
          deepEqual(
            [locked?.status, locked?.attempts, locked?.redrive, locked?.quarantinedBy],
            ["open", 0, null, null],
          );
        },
        { from: 8, to: 9 },
      );
    },
  ],
  [
    "a list that a record brings up is there for its batch, and goes when nobody was put on it",
    async (under) => {
      const { account } = under;
      const records = [{ account, operation: { name: "addContactsToList" }, reads: reads("VIP") }];
      const listed = async (transaction: StateTransaction) => {
        const rows = emptyRows();
        await transaction.loadReads([{ kind: "listName", account: account.number, name: "vip" }], rows);
        return [...rows.lists.values()].some((list) => list?.name === "VIP");
      };
      await write(under, async (transaction) => {
        equal(await listed(transaction), false);
        const created = await transaction.ensureLists(records, NOW);
        equal(await listed(transaction), true);
        equal((await transaction.ensureLists(records, NOW)).size, 0);
        await transaction.deleteUnusedLists(created, { memberships: [] });
        equal(await listed(transaction), false);
      });
    },
  ],
  [
    "attributes that were written are defined, and new ones beyond an account's room fail the batch",
    async (under) => {
      const { account } = under;
      const limits = { ...defaultSettings.limits, attributesPerAccount: 0 };
      const full = { ...account, settings: { ...account.settings, limits } };
      const intoFull = (transaction: StateTransaction) => upsert(transaction, full, "a@x.org");
      await rejects(write(under, intoFull), { code: "ACCOUNT_ATTRIBUTES_EXCEEDED" });
      deepEqual([await found(under, "a@x.org"), await nextOffset(under)], [[], 4]);
      await write(under, async (transaction) => {
        await upsert(transaction, account, "b@x.org");
        deepEqual(await transaction.attributesOf(account.number), ["city"]);
      });
      await write(under, intoFull, { from: 6, to: 8 });
      deepEqual(await found(under, "a@x.org"), ["a@x.org"]);
    },
  ],
  [
    "a message that is not known has no channel",
    async (under) => {
      const keys = [{ account: under.account.number, message: "m7" }];
      await write(under, async (transaction) => deepEqual(await transaction.messageChannels(keys), []));
    },
  ],
  [
    "places in the outbox ascend over all transactions",
    async (under) => {
      const places: number[] = [];
      const take = async (transaction: StateTransaction) => places.push(...(await transaction.takeOutboxPositions(2)));
      await write(under, take);
      await write(under, take, { from: 6, to: 8 });
      deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
      equal(new Set(places).size, 4);
    },
  ],
  [
    "a partition says why it is held until it goes on",
    async (under) => {
      await opened(under);
      await under.store.held(AT, "the log was cut");
      equal((await under.store.open({ ...AT, low: 0 })).heldWhy, "the log was cut");
      await under.store.held(AT, undefined);
      await under.store.verified(AT);
      equal((await under.store.open({ ...AT, low: 0 })).heldWhy, null);
    },
  ],
];
