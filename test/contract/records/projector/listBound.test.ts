import { accountSettings } from "@headwater/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream, stateOf } from "../../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

test("an account has a bound of lists: names beyond it are refused with a code of their own, known ones go on", async () => {
  const settings = accountSettings.parse({ limits: { listsPerAccount: 3 } });
  const add = (listName: string, n: number) => {
    const contact = { identifiers: { email: `${listName}@example.com` } };
    const record = { id: `list-${n}:0:0`, receivedAt: stream.clock.nowMs(), contact, canBeCreated: true, listName };
    stream.append("addContactsToList", [record]);
  };
  const handler = () => stateOf(stream.postgres, { ...stream.account, settings }, stream.clock);
  for (const [n, name] of ["a", "b"].entries()) add(name, n);
  await stream.apply(handler());
  for (const [n, name] of ["c", "a", "d", "e"].entries()) add(name, n + 2);
  await stream.apply(handler());
  const rejects = { text: "SELECT record_id, code FROM rejects ORDER BY record_id" };
  expect(await stream.postgres.query(rejects)).toHaveLength(2);
  expect((await stream.postgres.query(rejects)).every((row) => row.code === "ACCOUNT_LISTS_EXCEEDED")).toBe(true);
  const lists = { text: "SELECT count(*) AS count FROM lists WHERE account = $1" };
  expect(await stream.postgres.query(lists, [stream.account.number])).toEqual([{ count: 3 }]);
});
