import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { timeOfVersion } from "@headwater/contracts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testHomeFolder } from "../../../../infra/src/index.ts";
import { type LostTailGround, lostTailGround } from "../../lostTail/ground.ts";
import { createPeople, WAIT_MS } from "../../lostTail/people.ts";
import { createShiftedClock } from "./shiftedClock.ts";

/* The broker's clock goes an hour ahead for a while and comes back; every other process goes by the machine's. */

const NAME = "broker-clock";
const PEOPLE = 64;
const HOUR_MS = 3_600_000;
const clock = createShiftedClock(join(testHomeFolder, `${NAME}-java`));

let on: LostTailGround;
let people: ReturnType<typeof createPeople>;

beforeAll(async () => {
  vi.stubEnv("JAVA_HOME", clock.javaHome);
  on = await lostTailGround(NAME);
  people = createPeople(on);
}, 4 * WAIT_MS);

afterAll(async () => {
  vi.unstubAllEnvs();
  await on?.stop();
}, WAIT_MS);

/** Alarms in the log of the ingress: one when the clocks part, and one each minute that they stay so. */
function alarms(): number {
  const { logFile } = on.apps.ingress();
  if (!existsSync(logFile)) return 0;
  const log = readFileSync(logFile, "utf8").split("\n");
  return log.filter((line) => line.includes("the clocks of Kafka and this process differ") && line.includes('"error"'))
    .length;
}

/** Seconds that the broker's clock is ahead, as the ingress shows them after one more append. */
async function aheadSeconds(): Promise<number> {
  turns += 1;
  await people.send(`turn${turns}`, 1);
  const answer = await fetch(`http://127.0.0.1:${on.apps.operationsPort("ingress-0")}/metrics`);
  return Number(/^headwater_ingress_kafka_clock_seconds (\S+)$/m.exec(await answer.text())?.[1] ?? Number.NaN);
}
let turns = 0;

/** Number of contacts that an audience of everybody has. */
async function everybody(asOf: object = {}): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${on.apps.servicePort}/v2/audiencecount`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${on.ground.apiKey}:`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ and: [], ...asOf }),
  });
  const { count = Number.NaN }: { count?: number } = JSON.parse(await answer.text());
  return count;
}

/** Writes one contact's tier by an activity whose UID is the tier. @returns its receipt. */
async function setTier(tier: string): Promise<string> {
  const contact = {
    identifiers: { email: "clock@example.com" },
    attributes: { tier },
    canBeCreated: true,
    canBeUpdated: true,
  };
  const event = { name: "browse", time: "2026-01-01T00:00:00Z", UID: tier };
  const answer = await fetch(`http://127.0.0.1:${on.apps.ingressPort}/api/createContactactivities`, {
    method: "POST",
    headers: { "x-api-key": on.ground.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ contact, contactactivities: [event] }),
  });
  const { receipt }: { receipt: string } = JSON.parse(await answer.text());
  expect(answer.status).toBe(202);
  await expect.poll(async () => (await on.receipt(receipt)).state, { timeout: WAIT_MS }).not.toBe("pending");
  return receipt;
}

async function contact(): Promise<{ tier: string; version: string }> {
  const { body } = await on.get("/v2/contacts/email:clock@example.com");
  const [row] = await on.ground.postgres.query<{ version: string }>(
    {
      text: "SELECT version::text FROM contacts WHERE cid = $1",
    },
    [body.cID],
  );
  return { tier: body.attributes.tier, version: row?.version ?? "" };
}

test("a broker whose clock is an hour ahead for a while: the last write wins, windows hold, an alarm is raised, nothing is stuck", {
  timeout: 10 * WAIT_MS,
}, async () => {
  const before = await people.send("before", PEOPLE);
  await people.expectStates(before, { applied: PEOPLE });
  await setTier("first");
  const seen = [await contact()];
  expect(alarms()).toBe(0);

  clock.setAhead(HOUR_MS);
  await expect.poll(aheadSeconds, { timeout: WAIT_MS }).toBeGreaterThan(HOUR_MS / 2_000);
  expect(alarms()).toBeGreaterThan(0);
  const ahead = await people.send("ahead", PEOPLE);
  await people.expectStates(ahead, { applied: PEOPLE });
  await setTier("ahead");
  seen.push(await contact());
  expect(timeOfVersion((seen[1]?.version ?? "").replaceAll("-", "")) - Date.now()).toBeGreaterThan(HOUR_MS / 2);

  clock.setAhead(0);
  await expect.poll(aheadSeconds, { timeout: WAIT_MS }).toBeLessThan(1);
  const after = await people.send("after", PEOPLE);
  await people.expectStates(after, { applied: PEOPLE });
  await setTier("last");
  seen.push(await contact());

  expect(seen.map(({ tier }) => tier)).toEqual(["first", "ahead", "last"]);
  const versions = seen.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted());
  expect(new Set(versions).size).toBe(versions.length);
  // Repeats are known by their positions in the log and not by its times.
  const repeat = await on.receipt(await setTier("first"));
  expect(repeat.records).toMatchObject({ skipped: 1, rejected: 0 });
  expect((await contact()).tier).toBe("last");
  const contacts = 3 * PEOPLE + turns + 1;
  await expect.poll(() => everybody(), { timeout: WAIT_MS }).toBe(contacts);
  // Instants are made of versions: as of now, what was written by the clock ahead is yet to come.
  const asOfNow = await everybody({ asOf: new Date().toISOString() });
  expect(asOfNow).toBeGreaterThan(PEOPLE);
  expect(asOfNow).toBeLessThan(contacts);
  await people.expectAllThere([...before, ...ahead, ...after]);
  await people.expectBalanced();
  expect(on.apps.lastWords()).toEqual([]);
});
