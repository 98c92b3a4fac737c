import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "./memoryStream.ts";

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

test("a record that loses every race by itself is refused alone, and its neighbours are applied", async () => {
  const { postgres } = stream;
  await postgres.execute({
    text: `CREATE OR REPLACE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.value = 'clash@example.com' THEN RAISE unique_violation; END IF; RETURN NEW; END $$`,
  });
  await postgres.execute({
    text: "CREATE TRIGGER clashes BEFORE INSERT ON contact_identifiers FOR EACH ROW EXECUTE FUNCTION clash()",
  });
  const before = await emails();
  for (const email of ["before@example.com", "clash@example.com", "behind@example.com"]) append(email);
  await stream.apply();
  expect(await emails()).toEqual([...before, "before@example.com", "behind@example.com"].sort());
  const rejects = { text: "SELECT record_id, status, code FROM rejects" };
  expect(await postgres.query(rejects)).toEqual([
    { record_id: "clash@example.com:0:0", status: "open", code: "INTERNAL_ERROR" },
  ]);
});

async function createTogether(body: string): Promise<void> {
  await stream.postgres.execute({
    text: `CREATE OR REPLACE FUNCTION together() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (${body}) = 2 THEN RAISE 'refused'; END IF; RETURN NULL; END $$`,
  });
  await stream.postgres.execute({
    text: `CREATE OR REPLACE TRIGGER together AFTER INSERT ON contact_identifiers REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION together()`,
  });
}

test("records that break a batch only in one statement are all applied: parted, nothing is wrong with them", async () => {
  await createTogether("SELECT count(*) FROM added WHERE value IN ('left@example.com', 'right@example.com')");
  const before = await emails();
  const added = ["first", "left", "middle", "right", "last"].map((name) => `${name}@example.com`);
  for (const email of added) append(email);
  await stream.apply();
  expect(await emails()).toEqual([...before, ...added].sort());
  const rejects = { text: "SELECT record_id FROM rejects WHERE record_id <> 'clash@example.com:0:0'" };
  expect(await stream.postgres.query(rejects)).toEqual([]);
});

test("the last of the records that break a batch one behind the other is refused", async () => {
  const { postgres } = stream;
  await createTogether(
    "SELECT count(*) FROM contact_identifiers WHERE value IN ('one@example.com', 'two@example.com')",
  );
  const before = await emails();
  for (const name of ["top", "one", "between", "two", "end"]) append(`${name}@example.com`);
  await stream.apply();
  const added = ["top", "one", "between", "end"].map((name) => `${name}@example.com`);
  expect(await emails()).toEqual([...before, ...added].sort());
  const rejects = { text: "SELECT status, code FROM rejects WHERE record_id = 'two@example.com:0:0'" };
  expect(await postgres.query(rejects)).toEqual([{ status: "open", code: "INTERNAL_ERROR" }]);
  await postgres.execute({ text: "DROP TRIGGER together ON contact_identifiers" });
});

test("a batch with a poison record is written once: what passed is not written, rolled back and written again", async () => {
  const { postgres } = stream;
  await postgres.execute({
    text: `CREATE OR REPLACE FUNCTION poisonous() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.value = 'poison@example.com' THEN RAISE 'refused'; END IF;
      IF NEW.name = 'email' THEN PERFORM nextval('writes_seen'); END IF; RETURN NEW; END $$`,
  });
  await postgres.execute({ text: "CREATE SEQUENCE writes_seen" });
  await postgres.execute({
    text: "CREATE TRIGGER poisonous BEFORE INSERT ON contact_identifiers FOR EACH ROW EXECUTE FUNCTION poisonous()",
  });
  const names = Array.from({ length: 63 }, (_, n) => `many${n}@example.com`);
  for (const email of [...names.slice(0, 40), "poison@example.com", ...names.slice(40)]) append(email);
  await stream.apply();
  expect(await emails()).toEqual(expect.arrayContaining(names));
  expect(await emails()).not.toContain("poison@example.com");
  const [seen] = await postgres.query<{ count: number }>({ text: "SELECT last_value::int AS count FROM writes_seen" });
  // What broke was written up to the poison: the whole, a half of it, a quarter and so on. What passed was written once.
  expect(seen?.count).toBeLessThan(names.length + 2 * 64);
  await postgres.execute({ text: "DROP TRIGGER poisonous ON contact_identifiers" });
});
