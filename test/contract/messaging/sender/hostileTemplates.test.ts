import { afterAll, beforeAll, expect, test } from "vitest";
import { cidOf } from "../batchMessages/sendWorld.ts";
import { email } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, content, receipt } from "./batchWorld.ts";
import { hostileTemplate } from "./hostileTemplate.ts";

const PEOPLE = 120;
const HOSTILE = 100;
const ROOT = "/v2/automationtemplates";
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld({ tries: true });
  await world.join(Array.from({ length: PEOPLE }, (_, index) => index + 1));
});
afterAll(() => world.stop());

const template = (position: number) => ({
  ...{ key: `hostile-${position}`, name: "Hostile", channel: "email", baseAggregation: "daily" },
  ...{ classification: "transactional", message: email(hostileTemplate(position)) },
});

test("a campaign that is under way waits for none of 100 templates that take their whole second", async () => {
  const sender = world.sender("one");
  const id = await world.make({ ...receipt, message: content("Running") });
  await world.put(id, "send");
  await world.work(id);
  while (world.mails.length === 0) await sender.sendOnce();
  const begun = world.mails.length;
  for (let place = 0; place < HOSTILE; place += 1) {
    expect(await world.call("POST", ROOT, template(place))).toMatchObject({ status: 201 });
    const { body } = await world.call("POST", `${ROOT}/hostile-${place}/send`, { to: { cID: cidOf(1) } });
    expect(body.messagecontacts).toMatchObject([{ accepted: true }]);
  }
  await world.sql("UPDATE sends SET due_at = 0 WHERE message <> $1", [id]);
  sender.start();
  await expect.poll(() => world.mails.length, { timeout: 120_000, interval: 50 }).toBe(PEOPLE);
  const { postgres } = world.service;
  const ended = await postgres.query({ text: "SELECT FROM sends WHERE message <> $1 AND state = 'skipped'" }, [id]);
  expect(begun).toBeLessThan(PEOPLE);
  expect(ended.length).toBeLessThan(HOSTILE / 2);
  await world.endThreads();
  await sender.stop();
});
