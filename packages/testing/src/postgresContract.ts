import { deepEqual, equal, rejects } from "node:assert/strict";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";

type Check = (postgres: Postgres) => Promise<void>;

const PROGRESS = { text: "SELECT position FROM relay_progress" };
const DISK_FULL = "DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$";

/** Promises of the port of Postgres, for a server and for the one in memory. Each is given a database with all tables. */
export const postgresContract: readonly (readonly [promise: string, check: Check])[] = [
  ["a transaction whose function throws keeps nothing", checkRollback],
  ["a transaction runs statements that were sent together in their order", checkOrder],
  ["a transaction reports the statement that failed, not one that it aborted", checkFirstFailure],
  ["a transaction does not pass for committed when the error of a statement was never awaited", checkUnawaited],
  ["a transaction sends its last statements along with COMMIT", checkAtCommit],
  ["a transaction whose last statement fails keeps nothing, and reports it", checkFailureAtCommit],
  ["a snapshot refuses writes", checkSnapshot],
  ["bigint is answered as a number, uuid as 32 hex characters and json as its text", checkTypes],
  ["a row that is there and a wrong statement are distinguished", checkFailures],
];

async function checkRollback(postgres: Postgres): Promise<void> {
  const before = await postgres.query(PROGRESS);
  const failed = postgres.transaction(async (transaction) => {
    await transaction.execute({ text: "UPDATE relay_progress SET position = position + 77" });
    throw new Error("no");
  });
  await rejects(failed, /^Error: no$/);
  deepEqual(await postgres.query(PROGRESS), before);
}

async function checkOrder(postgres: Postgres): Promise<void> {
  const next = { text: "SELECT nextval('contact_numbers') AS n" };
  const answers = await postgres.transaction((transaction) =>
    Promise.all([1, 2, 3].map(() => transaction.query<{ n: number }>(next))),
  );
  const [first = 0, second, third] = answers.map(([row]) => row?.n ?? 0);
  deepEqual([second, third], [first + 1, first + 2]);
}

async function checkFirstFailure(postgres: Postgres): Promise<void> {
  const failed = postgres.transaction(async (transaction) => {
    const slow = async () => {
      try {
        await transaction.execute({ text: DISK_FULL });
      } finally {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([slow(), transaction.query({ text: "SELECT 1" })]);
  });
  equal(await failureOf(failed), "unavailable");
}

async function checkUnawaited(postgres: Postgres): Promise<void> {
  const careless = postgres.transaction(async (transaction) => {
    transaction.query({ text: "SELECT 1/0" }).catch(() => undefined);
  });
  await rejects(careless, /not awaited/);
}

const MOVE = { text: "UPDATE relay_progress SET position = position + $1" };

async function checkAtCommit(postgres: Postgres): Promise<void> {
  const position = async () => (await postgres.query<{ position: number }>(PROGRESS))[0]?.position ?? 0;
  const before = await position();
  const answer = await postgres.transaction(async (transaction, atCommit) => {
    atCommit(MOVE, [2]);
    await transaction.execute(MOVE, [1]);
    return "done";
  });
  deepEqual([answer, await position()], ["done", before + 3]);
  const thrown = postgres.transaction(async (_transaction, atCommit) => {
    atCommit(MOVE, [5]);
    throw new Error("no");
  });
  await rejects(thrown, /^Error: no$/);
  equal(await position(), before + 3);
}

async function checkFailureAtCommit(postgres: Postgres): Promise<void> {
  const before = await postgres.query(PROGRESS);
  const failed = postgres.transaction(async (transaction, atCommit) => {
    await transaction.execute(MOVE, [1]);
    atCommit({ text: DISK_FULL });
    atCommit(MOVE, [2]);
  });
  equal(await failureOf(failed), "unavailable");
  deepEqual(await postgres.query(PROGRESS), before);
}

async function checkSnapshot(postgres: Postgres): Promise<void> {
  const write = { text: "UPDATE relay_progress SET position = position" };
  const written = postgres.transaction((transaction) => transaction.execute(write), { isSnapshot: true });
  equal(await failureOf(written), "unavailable");
}

async function checkTypes(postgres: Postgres): Promise<void> {
  const uuid = "0192f0c1-0000-0000-0000-00000000000a";
  const text = `SELECT 9007199254740991::bigint AS n, '${uuid}'::uuid AS u, '{"a": 1}'::json AS j`;
  const expected = { n: Number.MAX_SAFE_INTEGER, u: uuid.replaceAll("-", ""), j: '{"a": 1}' };
  deepEqual(
    (await postgres.query<object>({ text })).map((row) => ({ ...row })),
    [expected],
  );
  await rejects(postgres.query({ text: "SELECT 9007199254740993 AS n" }), /beyond 2\^53/);
}

async function checkFailures(postgres: Postgres): Promise<void> {
  const again = "INSERT INTO relay_progress (id, xid, position, offsets) VALUES (1, '1', 1, '{}')";
  equal(await failureOf(postgres.execute({ text: again })), "unique");
  equal(await failureOf(postgres.query({ text: "SELECT nonsense" })), "other");
  await postgres.ping();
}

function failureOf(promise: Promise<unknown>) {
  return promise.then(() => "none", postgresFailure);
}
