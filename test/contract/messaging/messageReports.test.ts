import { fromRow } from "@headwater/records/contacts/contactDocument";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { subscribeStatusOf } from "@headwater/records/contacts/model";
import { suppressedAmong } from "@headwater/records/suppressions/suppressions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

let sent = 0;
function send(operation: string, members: object) {
  sent += 1;
  stream.append(operation, [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), ...members }]);
}
function write(email: string, subscribeStatus: string, forceSubscribe = false) {
  const attributes = { channels: { email: { address: email, subscribeStatus } } };
  const rights = { canBeCreated: true, canBeUpdated: true, forceSubscribe };
  send("upsertContact", { contact: { identifiers: { email }, attributes, ...rights } });
}
function report(email: string, name: string, properties: object = {}) {
  const event = { name, time: "2026-01-09T10:00:00Z", properties: { channel: "email", ...properties } };
  send("createContactactivities", { contact: { identifiers: { email } }, event });
}
const reasons = async (...addresses: string[]) =>
  Object.fromEntries(
    await suppressedAmong(stream.postgres, { account: stream.account.number, channel: "email" }, addresses),
  );

test("reports of a sending system change the channel and suppress its address; a forced subscribe lifts a complaint", async () => {
  for (const name of ["hard", "complaint", "optout", "soft"]) write(`${name}@example.com`, "subscribed");
  report("hard@example.com", "bounce");
  report("complaint@example.com", "complaint");
  report("optout@example.com", "optout");
  report("soft@example.com", "bounce", { bounceType: "soft" });
  await stream.apply();
  const all = ["hard", "complaint", "optout", "soft"].map((name) => `${name}@example.com`);
  expect(await reasons(...all)).toEqual({
    "hard@example.com": ["hard-bounce"],
    "complaint@example.com": ["complaint"],
  });
  const emittedRows = "SELECT count(*)::int AS n FROM outbox WHERE payload LIKE '%channels.email.valid%'";
  expect(await stream.postgres.query({ text: emittedRows })).not.toEqual([{ n: 0 }]);
  write("complaint@example.com", "subscribed", true);
  write("hard@example.com", "subscribed", true);
  await stream.apply();
  expect(await reasons(...all)).toEqual({ "hard@example.com": ["hard-bounce"] });
});

test("a report that names no channel changes the one of its message, batch or template, there or gone", async () => {
  const { postgres, account } = stream;
  const rows = [
    `INSERT INTO batch_messages (account, id, channel, status, settings, created_at, updated_at) VALUES ($1, 'batch', 'sms', 'sent', '{}', 0, 0)`,
    `INSERT INTO automation_templates (account, key, mdt_id, channel, settings, created_at, updated_at) VALUES ($1, 'k', 'there', 'push', '{}', 0, 0)`,
    `INSERT INTO template_children (account, id, mdt_id, key, channel, settings, created_at, ends_at) VALUES ($1, 'gone:d260131', 'gone', 'g', 'fax', '{}', 0, 0)`,
  ];
  for (const text of rows) await postgres.execute({ text }, [account.number]);
  const email = "many@example.com";
  const optout = (mcID: string) => {
    const event = { name: "optout", time: "2026-01-09T10:00:00Z", properties: { mcID } };
    send("createContactactivities", { contact: { identifiers: { email } }, event });
  };
  write(email, "subscribed");
  for (const message of ["batch:b", "there:a", "gone:d260131:a"])
    optout(`${account.id}:${message}:${"c".repeat(24)}:1`);
  await stream.apply();
  const row = await readContactByIdentifiers(postgres, account.number, [{ name: "email", value: email }]);
  const channels = row === undefined ? [] : [...fromRow(row).channels];
  expect(channels.map(([name, state]) => [name, subscribeStatusOf(state)])).toEqual([
    ["email", "subscribed"],
    ["sms", "unsubscribed"],
    ["push", "unsubscribed"],
    ["fax", "unsubscribed"],
  ]);
});
