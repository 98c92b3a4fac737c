import { defaultSettings, lanes, openReceipt } from "@headwater/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, SECRET, startService } from "../service/running.ts";
import { movesOn } from "../service/streams.ts";

let service: Running;
let key: string;
beforeAll(async () => {
  service = await startService();
  const { account } = await service.account();
  key = await service.key(account, { scopes: ["contacts:read", "contacts:write", "receipts:read"] });
});
afterAll(() => service.stop());

const subscribed = { channels: { email: { address: "optout@x.org", subscribeStatus: "subscribed" } } };
const send = (method: "POST" | "PUT", path: string, body?: unknown) =>
  service.call(key, `/v2/${path}`, { method, ...(body !== undefined && { body }) });
const read = (path: string) => service.call(key, `/v2/${path}`);

test("an unsubscribe of a message has a receipt that is followed until its activity is stored, too", async () => {
  await send("POST", "contacts", subscribed);
  service.log.appended.length = 0;
  const { headers } = await send("PUT", "contacts/optout@x.org/unsubscribe/email?mcID=m7");
  const receipt = String(headers["headwater-receipt"]);
  const parts = openReceipt(receipt, SECRET)?.parts ?? [];
  expect(parts.map(({ lane: stream }) => stream)).toEqual([lanes.v2, lanes["intake.records"]]);
  const [, { partition = 0, lastOffset = 0 } = {}] = parts;
  expect(service.log.appended[0]?.entries[0]?.partition).toBe(partition);
  const followed = async () => (await read(`receipts/${receipt}`)).body;
  expect(await followed()).toMatchObject({ state: "pending", records: { applied: 1, pending: 1 } });
  const history = `contacts/optout@x.org/history?after=${encodeURIComponent(receipt)}`;
  const moves = movesOn(() => service.postgres);
  await moves("state", partition, lastOffset + 1);
  expect(await followed()).toMatchObject({ state: "applied", records: { applied: 2, pending: 0 } });
  await service.postgres.execute({ text: "DELETE FROM outbox" });
  expect((await read(history)).body.code).toBe("NOT_YET_APPLIED");
  await moves("activities", partition, lastOffset + 1);
  expect((await read(history)).status).toBe(200);
});

test("an unsubscribe of a channel that the contact has no room for is refused, and one of its email never is", async () => {
  const names = Array.from({ length: defaultSettings.limits.identifiersPerContact }, (_, index) => `channel${index}`);
  const channelOf = (name: string) => [name, { address: `device of ${name}`, subscribeStatus: "subscribed" }] as const;
  const channels = Object.fromEntries(names.map(channelOf));
  await send("POST", "contacts", { channels: { email: { address: "full@x.org" } } });
  expect((await send("PUT", "contacts/full@x.org", { channels })).status).toBe(422);
  const fits = Object.fromEntries(names.slice(1).map(channelOf));
  expect((await send("PUT", "contacts/full@x.org", { channels: fits })).status).toBe(200);
  const { status, body } = await send("PUT", "contacts/full@x.org/unsubscribe/another");
  expect([status, body.code]).toEqual([422, "CONTACT_IDENTIFIERS_EXCEEDED"]);
  expect((await send("PUT", "contacts/full@x.org/unsubscribe/email")).status).toBe(200);
});
