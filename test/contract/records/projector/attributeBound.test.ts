import { accountSettings } from "@headwater/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream, stateOf } from "../../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

test("an account has a bound of attributes: a record with a name beyond it is refused alone, known names go on", async () => {
  const settings = accountSettings.parse({ limits: { attributesPerAccount: 4 } });
  const write = (id: string, attributes: object) => {
    const contact = { identifiers: { email: "a@example.com" }, attributes, canBeCreated: true, canBeUpdated: true };
    stream.append("upsertContact", [{ id: `${id}:0:0`, receivedAt: stream.clock.nowMs(), contact }]);
  };
  const apply = () => stream.apply(stateOf(stream.postgres, { ...stream.account, settings }, stream.clock));
  write("first", { a: 1, b: 1 });
  await apply();
  write("fits", { c: 1 });
  write("beyond", { d: 1, e: 1 });
  write("last", { d: 1 });
  write("more", { f: 1 });
  write("known", { a: 2, f: null });
  await apply();
  const rejects = { text: "SELECT record_id, code, path FROM rejects ORDER BY record_id" };
  expect(await stream.postgres.query(rejects)).toEqual([
    { record_id: "beyond:0:0", code: "ACCOUNT_ATTRIBUTES_EXCEEDED", path: "/attributes" },
    { record_id: "more:0:0", code: "ACCOUNT_ATTRIBUTES_EXCEEDED", path: "/attributes" },
  ]);
  const names = { text: "SELECT key FROM attribute_definitions WHERE account = $1 ORDER BY key" };
  const keys = await stream.postgres.query<{ key: string }>(names, [stream.account.number]);
  expect(keys.map(({ key }) => key)).toEqual(["a", "b", "c", "d"]);
});
