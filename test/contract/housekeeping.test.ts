import { addOutcomeCounts, insertRedrive } from "@headwater/stores";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldRows } from "../../apps/projector/src/housekeeping.ts";
import { AT, type MemoryStream, startMemoryStream } from "./projection/memoryStream.ts";
import { seedLetters } from "./service/letters.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

const DAY = 86_400_000;
const HOUR = 3_600_000;

async function idsLeft(): Promise<string[]> {
  const rows = await stream.postgres.query<{ id: string }>({ text: "SELECT record_id AS id FROM rejects ORDER BY 1" });
  return rows.map(({ id }) => id);
}

test("what is open or parked is never deleted, ends are kept for their time", async () => {
  const { postgres, account } = stream;
  const ends = ["open", "parked", "applied", "skipped", "redriven", "discarded"] as const;
  await seedLetters(
    postgres,
    account,
    ends.map((status) => ({
      recordId: `${status}:0:0`,
      at: AT,
      more: { status, dueAt: status === "parked" ? 1 : null },
    })),
  );
  await postgres.execute({ text: "UPDATE rejects SET closed_at = received_at WHERE status NOT IN ('open', 'parked')" });
  await deleteOldRows(postgres, AT + 6 * DAY);
  expect(await idsLeft()).toHaveLength(6);
  await deleteOldRows(postgres, AT + 8 * DAY);
  expect(await idsLeft()).toEqual(["discarded:0:0", "open:0:0", "parked:0:0", "redriven:0:0"]);
  await deleteOldRows(postgres, AT + 1_000 * DAY);
  expect(await idsLeft()).toEqual(["open:0:0", "parked:0:0"]);
});

test("an hour's counts go before a closed record of that hour does", async () => {
  const { postgres, account } = stream;
  const key = { account: account.number, hour: AT / HOUR, operation: "upsertContact" };
  const place = { topic: "intake.records", partition: 0 };
  await postgres.transaction((transaction) =>
    addOutcomeCounts(transaction, place, [{ ...key, applied: 1, skipped: 0, copies: 0 }]),
  );
  await seedLetters(postgres, account, [{ recordId: "closed:0:0", at: AT, more: { status: "discarded" } }]);
  await postgres.execute({ text: "UPDATE rejects SET closed_at = received_at WHERE record_id = 'closed:0:0'" });
  const counts = () => postgres.query({ text: "SELECT hour FROM outcome_counts" });
  await deleteOldRows(postgres, AT + 90 * DAY - 1);
  expect([await counts(), (await idsLeft()).includes("closed:0:0")]).toEqual([[{ hour: AT / HOUR }], true]);
  await deleteOldRows(postgres, AT + 90 * DAY);
  expect([await counts(), (await idsLeft()).includes("closed:0:0")]).toEqual([[], true]);
  await deleteOldRows(postgres, AT + 90 * DAY + 1);
  expect((await idsLeft()).includes("closed:0:0")).toBe(false);
});

test("redrives are kept 60 days from when they were written, and while they are not", async () => {
  const { postgres, account } = stream;
  const made = { account: account.number, selection: {}, patch: null, scopes: [], madeBy: "key", selected: 0 };
  await insertRedrive(postgres, { ...made, id: "waits", createdAt: AT });
  await insertRedrive(postgres, { ...made, id: "written", createdAt: AT });
  await postgres.execute({ text: "UPDATE redrives SET written_at = created_at WHERE id = 'written'" });
  const ids = () => postgres.query({ text: "SELECT id FROM redrives ORDER BY id" });
  await deleteOldRows(postgres, AT + 60 * DAY);
  expect(await ids()).toEqual([{ id: "waits" }, { id: "written" }]);
  await deleteOldRows(postgres, AT + 60 * DAY + 1);
  expect(await ids()).toEqual([{ id: "waits" }]);
});
