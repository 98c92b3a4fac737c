import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "./projection/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

function append(email: string): void {
  const contact = { identifiers: { email }, attributes: { plan: "x" }, canBeCreated: true };
  stream.append("upsertContact", [{ id: `${email}:0:0`, receivedAt: stream.clock.nowMs(), contact }], 0);
}

async function emails(): Promise<string[]> {
  const text = "SELECT value FROM contact_identifiers WHERE account = $1 AND name = 'email' ORDER BY value";
  const rows = await stream.postgres.query<{ value: string }>({ text }, [stream.account.number]);
  return rows.map(({ value }) => value);
}

test.each([1, 2])(
  "a batch of %i that fails whichever record is left out fails as a whole, and is applied when it can be",
  async (records) => {
    const { postgres } = stream;
    await postgres.execute({
      text: "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$",
    });
    await postgres.execute({
      text: "CREATE TRIGGER refused BEFORE UPDATE ON stream_offsets FOR EACH ROW EXECUTE FUNCTION refuse()",
    });
    const before = await emails();
    const added = Array.from({ length: records }, (_, n) => `${records}-${n}@example.com`);
    for (const email of added) append(email);
    await expect(stream.apply()).rejects.toThrow();
    expect(await emails()).toEqual(before);
    await postgres.execute({ text: "DROP TRIGGER refused ON stream_offsets" });
    await stream.apply();
    expect(await emails()).toEqual([...before, ...added]);
  },
);
