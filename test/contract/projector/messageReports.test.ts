import { suppressedAmong } from "@headwater/stores/suppressions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "./memoryStream.ts";

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
