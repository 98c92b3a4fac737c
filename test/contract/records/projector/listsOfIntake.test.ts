import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

let sent = 0;
function send(operation: string, email: string, members: object, partition = 0) {
  sent += 1;
  const record = { id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), contact: { identifiers: { email } } };
  stream.append(operation, [{ ...record, ...members }], partition);
}
const add = (email: string, listName: string, partition = 0) =>
  send("addContactsToList", email, { listName }, partition);
function make(email: string, partition = 0) {
  const contact = { identifiers: { email }, attributes: { plan: "x" }, canBeCreated: true };
  send("upsertContact", email, { contact }, partition);
}
async function lists(): Promise<string[]> {
  const text = "SELECT name FROM lists WHERE account = $1 ORDER BY id";
  const rows = await stream.postgres.query<{ name: string }>({ text }, [stream.account.number]);
  return rows.map(({ name }) => name);
}

test("a list whose records are all parked is not made; it is when one of them is applied", async () => {
  add("late@example.com", "Later");
  await stream.apply();
  expect(await lists()).toEqual([]);
  make("late@example.com");
  add("late@example.com", "Later");
  add("nobody@example.com", "Nobody");
  await stream.apply();
  expect(await lists()).toEqual(["Later"]);
});

test("a batch that is not stored leaves no list", async () => {
  const { postgres } = stream;
  await postgres.execute({
    text: `CREATE FUNCTION break_offsets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$`,
  });
  await postgres.execute({
    text: "CREATE TRIGGER broken BEFORE UPDATE ON stream_offsets FOR EACH ROW EXECUTE FUNCTION break_offsets()",
  });
  add("late@example.com", "Broken");
  await expect(stream.apply()).rejects.toThrow();
  expect(await lists()).toEqual(["Later"]);
  await postgres.execute({ text: "DROP TRIGGER broken ON stream_offsets" });
  await stream.apply();
  expect(await lists()).toEqual(["Later", "Broken"]);
});

test("partitions that bring up the same names at once make each list once, and everybody is on it", async () => {
  const people = Array.from({ length: 6 }, (_, n) => `p${n}@example.com`);
  for (const [partition, email] of people.entries()) {
    make(email, partition + 1);
    for (const name of partition % 2 === 0 ? ["Blue", "Red"] : ["Red", "blue"]) add(email, name, partition + 1);
  }
  await Promise.all([stream.apply(), stream.apply(), stream.apply()]);
  expect((await lists()).map((name) => name.toLowerCase()).sort()).toEqual(["blue", "broken", "later", "red"]);
  const members =
    "SELECT count(*) AS n FROM memberships m JOIN lists l USING (account) WHERE l.id = m.list AND lower(l.name) = $1";
  for (const name of ["blue", "red"]) {
    expect(await stream.postgres.query({ text: members }, [name])).toEqual([{ n: people.length }]);
  }
});
