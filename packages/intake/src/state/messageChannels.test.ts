import { fromRow } from "@headwater/records/contacts/contactDocument";
import { subscribeStatusOf } from "@headwater/records/contacts/model";
import { expect, test } from "vitest";
import { account, contact, frameOf, record, StateWorld } from "./testState.ts";

const CID = "c".repeat(24);

/** Reports an optout with these properties. @returns the channels that are unsubscribed by it. */
async function unsubscribedBy(properties: object): Promise<readonly string[]> {
  const world = new StateWorld();
  world.state.tables.messages.push({ account: account.number, message: "m7", channel: "sms" });
  const subscribed = { subscribeStatus: "subscribed" };
  const attributes = { channels: { email: subscribed, sms: { ...subscribed, address: "+491511234567" } } };
  await world.send(world.owner(), frameOf(0, "upsertContact", record("a", contact("ann", { attributes }))));
  const event = { name: "optout", time: "2026-01-01", properties };
  await world.send(world.owner(), frameOf(1, "createContactactivities", record("b", contact("ann"), { event })));
  const [row] = [...world.state.tables.state.contacts.values()];
  const channels = row === undefined ? [] : [...fromRow(row).channels];
  return channels.flatMap(([name, state]) => (subscribeStatusOf(state) === "unsubscribed" ? [name] : []));
}

test.each([
  ["of the message that it names", { mcID: `${account.id}:m7:b:${CID}:1` }, ["sms"]],
  ["of the message whose child it names", { mcID: `${account.id}:m7:d260131:a:${CID}:1` }, ["sms"]],
  ["that it names, whatever the message's is", { mcID: `${account.id}:m7:b:${CID}:1`, channel: "email" }, ["email"]],
  ["email, where the message is not known", { mcID: `${account.id}:m8:b:${CID}:1` }, ["email"]],
  ["email, where the message is of another account", { mcID: `${"b".repeat(24)}:m7:b:${CID}:1` }, ["email"]],
  ["email, where it names no message", {}, ["email"]],
])("a report changes the channel %s", async (_what, properties, channels) => {
  expect(await unsubscribedBy(properties)).toEqual(channels);
});
