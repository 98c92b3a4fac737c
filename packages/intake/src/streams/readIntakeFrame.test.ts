import { expect, test } from "vitest";
import { readIntakeFrame } from "./readIntakeFrame.ts";

/** Values say their subject themselves, as JSON text. */
const codec = {
  decode: (value: Buffer) => ({
    kind: "decoded" as const,
    subject: "intake.upsertContact",
    value: JSON.parse(value.toString("utf8")),
  }),
};

const record = (id: string, email: string) => ({ id, receivedAt: 0, contact: { identifiers: { email } } });

async function idsOf(...records: unknown[]): Promise<unknown[]> {
  const frame = await readIntakeFrame(codec, Buffer.from(JSON.stringify({ account: "a".repeat(24), records })));
  if (frame.kind !== "frame") throw new Error(frame.reason);
  return frame.records.map((one) => one?.id);
}

test("a record with text that Postgres cannot store is none, at any depth, and its neighbours are", async () => {
  const nested = { ...record("c", "c@example.com"), deep: [{ "name\u0000": 1 }] };
  expect(await idsOf(record("a", "a@example.com"), record("b", "b\u0000"), nested)).toEqual([
    "a",
    undefined,
    undefined,
  ]);
});

test("text that only looks like an escape is kept, and so are control characters that can be stored", async () => {
  expect(await idsOf(record("a", "\\u0000"), record("b", "\u001f"))).toEqual(["a", "b"]);
});
