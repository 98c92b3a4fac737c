import { systemClock } from "@headwater/kernel";
import { createOfferedLists } from "@headwater/messaging/tracker/preferences/offeredLists";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SenderWorld, senderWorld } from "./senderWorld.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
let world: SenderWorld;
beforeAll(async () => {
  world = await senderWorld();
});
afterAll(() => world.close());

const set = async (messaging: object) => {
  const { status, text } = await world.call("PUT", "/v2/account", { messaging });
  expect([status, text]).toEqual([200, expect.any(String)]);
};

/** Sends the template, and returns what its links lead to. */
async function targetsOf(key: string): Promise<string[]> {
  world.mails.splice(0);
  await world.call("POST", `/v2/automationtemplates/${key}/send`, { to: { email: "ada@example.com" } });
  await world.sendAll();
  const [{ raw } = expect.fail()] = world.mails;
  const html = String(raw).replaceAll("=\r\n", "");
  return [...html.matchAll(/\/t\/c\/([\w-]+)/g)].flatMap(
    ([, token = ""]) => tokens.open(token, ["click"])?.link?.url ?? [],
  );
}

test("parameters of links hold from the answer that stores them, rendered for each message, and end with it", async () => {
  const html = '<p><a href="https://shop.example/a?x=1#top">a</a> <a href="{{ links.unsubscribe }}">u</a></p>';
  await world.make("campaign", { classification: "transactional" }, html);
  expect(await targetsOf("campaign")).toContain("https://shop.example/a?x=1#top");
  await set({ linkParameters: { utm_campaign: "{{ message.name }}", utm_nothing: "{{ nothing }}" } });
  expect(await targetsOf("campaign")).toContain("https://shop.example/a?x=1&utm_campaign=campaign#top");
  await set({ linkParameters: null });
  expect(await targetsOf("campaign")).toContain("https://shop.example/a?x=1#top");
});

test("the lists of the account's page are those that it names, in their order", async () => {
  const names = { accountId: world.account.id, cID: "0".repeat(24), channel: "email", composedAt: 0 };
  const about = { kind: "preferences", type: "a", message: "m", contact: 1, n: 1, names } as const;
  const offered = () =>
    createOfferedLists(world.postgres, systemClock).offered({ ...about, account: world.account.number });
  expect(await offered()).toEqual([]);
  await world.call("POST", "/v2/accountlists", { name: "deals" });
  await set({ preferenceLists: ["news", "deals"] });
  expect((await offered()).map(({ name }) => name)).toEqual(["news", "deals"]);
});
