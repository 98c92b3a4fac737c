import { expect, vi } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
let caller: Caller;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  caller = await stack.caller("jobs");
});

const MEMBERS = 200_000;
/** The next worker takes the job over when its lease has ended, and clears it next to all else that the machine does. */
const TAKEN_OVER = { timeout: 180_000, interval: 200 };
const NEXT_STEP = { timeout: 60_000, interval: 5 };

/** One member through intake makes the list; the others are rows, as though they had come the same way. */
async function createList(): Promise<number> {
  const receipt = await caller.send("addContactsToList", {
    identifiers: [{ email: "ann@example.com" }],
    listName: "crowd",
    canBeCreated: true,
  });
  const { body } = await caller.read("/v2/accountlists?name=crowd", receipt);
  const [{ id }] = body.data;
  await stack.postgres.execute(
    {
      text: `INSERT INTO memberships (account, list, contact, present, joined_at, version)
        SELECT $1, $2, n, true, 0, lpad('1', 32, '0')::uuid FROM generate_series(1000000, 1000000 + $3) AS n`,
    },
    [caller.account, id, MEMBERS - 2],
  );
  return id;
}

test("a job goes on after its worker was killed in the middle, and does each of its steps once", {
  timeout: 2 * TAKEN_OVER.timeout,
}, async () => {
  const list = await createList();
  const cleared = await caller.put(`/v2/accountlists/${list}/clear`);
  expect(cleared.status).toBe(200);
  const { jobId } = cleared.body;
  expect((await caller.get(`/v2/accountlists/${list}/count`)).body).toEqual({ count: 0 });
  const job = async () => (await caller.get(`/v2/jobs/${jobId}?include=statistic`)).body;
  await vi.waitFor(async () => expect((await job()).completedItems).toBeGreaterThan(0), NEXT_STEP);
  await stack.killWorker();
  const { status, completedItems } = await job();
  expect(status).toBe("Processing");
  expect(completedItems).toBeLessThan(MEMBERS);
  await vi.waitFor(async () => expect((await job()).status).toBe("Done"), TAKEN_OVER);
  expect(await job()).toMatchObject({
    completedItems: MEMBERS,
    result: { updated: MEMBERS },
    statistic: { attempts: 2 },
  });
  const text = "SELECT count(*) AS n FROM memberships WHERE account = $1 AND list = $2";
  expect(await stack.postgres.query({ text }, [caller.account, list])).toEqual([{ n: 0 }]);
});
