import pg from "pg";
import { expect, test } from "vitest";
import { rehearse, withSavepoint } from "./savepoint.ts";
import type { Transaction } from "./session.ts";

/** Notes what is sent; statements named in `failing` fail, and those behind them until the roll-back are refused. */
function notingTransaction(failing: readonly string[] = []) {
  const sent: string[] = [];
  let isAborted = false;
  const send = async (text: string) => {
    sent.push(text);
    if (text.startsWith("ROLLBACK")) isAborted = false;
    if (isAborted) throw stateError("25P02");
    if (!failing.includes(text)) return;
    isAborted = true;
    throw stateError("22P02");
  };
  const transaction: Transaction = {
    inTransaction: true,
    query: async ({ text }) => {
      await send(text);
      return [];
    },
    execute: async ({ text }) => {
      await send(text);
      return 1;
    },
  };
  return { transaction, sent };
}

function stateError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("m", 1, "error"), { code });
}

test("a part that passes is released", async () => {
  const { transaction, sent } = notingTransaction();
  expect(await withSavepoint(transaction, (part) => part.execute({ text: "a" }))).toBe(1);
  expect(sent).toEqual(["SAVEPOINT part", "a", "RELEASE SAVEPOINT part"]);
});

test("a part that fails is rolled back, and its first failure is reported", async () => {
  const { transaction, sent } = notingTransaction(["a"]);
  const part = withSavepoint(transaction, async (inner) => {
    const first = inner.execute({ text: "a" });
    first.catch(() => "reported below");
    await inner.execute({ text: "b" });
    await first;
  });
  await expect(part).rejects.toMatchObject({ code: "22P02" });
  expect(sent).toEqual(["SAVEPOINT part", "a", "b", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part"]);
  expect(await transaction.execute({ text: "goes on" })).toBe(1);
});

test("a statement that is sent after its part was rolled back is refused", async () => {
  const { transaction, sent } = notingTransaction(["a"]);
  const late: Promise<unknown>[] = [];
  const part = withSavepoint(transaction, async (inner) => {
    late.push(new Promise((resolve) => setImmediate(resolve)).then(() => inner.execute({ text: "late" })));
    await inner.execute({ text: "a" });
  });
  await expect(part).rejects.toMatchObject({ code: "22P02" });
  const [outcome] = await Promise.allSettled(late);
  expect(outcome).toMatchObject({ status: "rejected" });
  expect(sent).not.toContain("late");
});

test("a rehearsal leaves nothing behind, whether it passes or not", async () => {
  const { transaction, sent } = notingTransaction(["bad"]);
  await rehearse(transaction, (part) => part.execute({ text: "good" }));
  await expect(rehearse(transaction, (part) => part.execute({ text: "bad" }))).rejects.toMatchObject({ code: "22P02" });
  const around = (text: string) => ["SAVEPOINT part", text, "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part"];
  expect(sent).toEqual([...around("good"), ...around("bad")]);
});
