import { manualClock, systemClock } from "@headwater/kernel";
import { stepRecurring } from "@headwater/messaging/jobs/recurringRuns";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MEMBERS } from "../batchMessages/sendWorld.ts";
import { problems, ROOT, template } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, content, reachedBy } from "./batchWorld.ts";

const PEOPLE = [1, 2, 3, 4, 5];
const MINUTE_MS = 60_000;
let world: BatchWorld;
beforeAll(async () => {
  world = await batchWorld();
  await world.join(PEOPLE);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

const nothing = async () => undefined;
const queue = { add: nothing, giveBack: nothing, hasRoom: async () => true, isOthersTurn: async () => false };
const recurring = (more: object = {}) => ({
  triggers: { recurring: { enabled: true, schedule: { cron: "* * * * *" }, audience: MEMBERS, ...more } },
});
const make = (key: string, more: object = recurring()) =>
  world.call("POST", ROOT, template(key, content(key), { classification: "transactional", ...more }));
const change = (key: string, more: object) => world.call("PUT", `${ROOT}/${key}`, { message: content(key), ...more });

/** Lets a worker search for ticks some minutes from now. */
async function findIn(minutes: number): Promise<void> {
  const clock = manualClock(Date.now() + minutes * MINUTE_MS);
  while (await stepRecurring({ postgres: world.service.postgres, queue, clock }));
}

/** Jobs of a template's runs, in order of their ticks. */
async function jobsOf(key: string): Promise<string[]> {
  const text = `SELECT r.job FROM template_runs r JOIN automation_templates t ON t.account = r.account AND t.mdt_id = r.mdt_id
    WHERE t.key = $1 ORDER BY r.tick_at`;
  const rows = await world.service.postgres.query<{ job: string }>({ text }, [key]);
  return rows.map(({ job }) => job);
}

async function workAll(key: string): Promise<void> {
  for (const job of await jobsOf(key)) await world.workJob(job);
  await world.sendAll();
}

/** Contacts of the sends of a template, each as often as it has one. */
async function contactsOf(key: string): Promise<number[]> {
  const { body } = await world.call("GET", `${ROOT}/${key}/sends?per_page=100`);
  return body.data.map(({ cID }: { cID: string }) => Number(cID.slice(-4))).toSorted((a: number, b: number) => a - b);
}

const stop = (key: string) => world.call("DELETE", `${ROOT}/${key}`);

describe("a recurring trigger", () => {
  test("sends once to each contact of its audience at a tick, however many workers look, and again at the next tick", async () => {
    expect((await make("weekly")).status).toBe(201);
    await findIn(-1);
    expect(await jobsOf("weekly")).toEqual([]);
    await Promise.all([findIn(1), findIn(1), findIn(1)]);
    expect(await jobsOf("weekly")).toHaveLength(1);
    await workAll("weekly");
    expect(reachedBy(world.mails)).toEqual(PEOPLE);
    expect(world.mails[0]?.mcId).toMatch(/:d\d{6}:a:[0-9a-f]{24}:1$/);
    await findIn(2);
    await workAll("weekly");
    expect(reachedBy(world.mails)).toEqual([...PEOPLE, ...PEOPLE].toSorted((a, b) => a - b));
    expect(new Set(world.mails.map(({ mcId }) => mcId)).size).toBe(2 * PEOPLE.length);
    await stop("weekly");
  });

  test("sends once to a contact where the template's entry says so, also after it was killed between two steps", async () => {
    await make("entered", { ...recurring(), entry: { reentry: "once" } });
    for (let steps = 1; steps <= 4; steps += 1) {
      await findIn(steps);
      await world.workJob((await jobsOf("entered")).at(-1) ?? "", steps);
      await workAll("entered");
    }
    expect(await contactsOf("entered")).toEqual(PEOPLE);
    const { body } = await world.call("GET", `/v2/jobs/${(await jobsOf("entered")).at(-1)}`);
    expect(body).toMatchObject({ status: "Done", result: { updated: 0, ignored: PEOPLE.length } });
    await stop("entered");
  });

  test("runs once after an outage, for the latest tick that was missed", async () => {
    await make("outage");
    await findIn(600);
    await workAll("outage");
    expect(await jobsOf("outage")).toHaveLength(1);
    const { body } = await world.call("GET", `/v2/jobs/${(await jobsOf("outage"))[0]}`);
    expect(Date.parse(body.metadata.tick)).toBeGreaterThan(Date.now() + 598 * MINUTE_MS);
    expect(body).toMatchObject({
      jobName: "SendAutomationTemplate",
      status: "Done",
      result: { updated: PEOPLE.length },
    });
    expect(reachedBy(world.mails)).toEqual(PEOPLE);
    await stop("outage");
  });

  test("loses and repeats nobody when its worker is killed between any two steps", async () => {
    await make("killed");
    for (let steps = 1; steps <= 6; steps += 1) {
      await findIn(steps);
      const job = (await jobsOf("killed")).at(-1) ?? "";
      await world.workJob(job, steps);
      await workAll("killed");
    }
    expect(await contactsOf("killed")).toEqual(PEOPLE.flatMap((one) => Array.from({ length: 6 }, () => one)));
    await stop("killed");
  });

  test("loses and repeats nobody when ClickHouse loses the audience between two steps, as when it is put back", async () => {
    await make("lost");
    await findIn(1);
    const [job = ""] = await jobsOf("lost");
    await world.workJob(job, 1);
    const firstPage = `INSERT INTO send_chunks (account, message, n, due_at, priority, contacts, waits)
      SELECT account, id, 0, 0, 0, '{1}', false FROM template_runs WHERE job = $1`;
    await world.sql(firstPage, [job]);
    expect(await world.workThroughLosses(job)).toBe(1);
    await workAll("lost");
    expect(reachedBy(world.mails)).toEqual(PEOPLE);
    await stop("lost");
  });

  test("sends once to a contact that was merged after the audience was taken", async () => {
    await make("merged");
    await findIn(1);
    const [job = ""] = await jobsOf("merged");
    await world.workJob(job, 2);
    await world.sql("UPDATE contacts SET merged_into = 2 WHERE number = 1 AND account = $1", [world.account.number]);
    await workAll("merged");
    await world.sql("UPDATE contacts SET merged_into = NULL WHERE number = 1 AND account = $1", [world.account.number]);
    expect(reachedBy(world.mails)).toEqual([2, 3, 4, 5]);
    await stop("merged");
  });

  test("listens while it is enabled and published, and a tick that is due stays due when the template is changed", async () => {
    await make("draft", { ...recurring(), draftContent: true });
    await findIn(1);
    expect(await jobsOf("draft")).toEqual([]);
    expect((await world.call("PUT", `${ROOT}/draft/publish`)).status).toBe(200);
    const text = "UPDATE recurring_triggers SET next_at = next_at - 120000 WHERE account = $1";
    await world.sql(text, [world.account.number]);
    await change("draft", { name: "Draft again" });
    await findIn(0);
    expect(await jobsOf("draft")).toHaveLength(1);
    await change("draft", { triggers: { recurring: { enabled: false } } });
    await findIn(5);
    expect(await jobsOf("draft")).toHaveLength(1);
    await stop("draft");
  });

  test("goes on at its next tick when a run was canceled or its audience is gone, and sends to nobody of that run", async () => {
    await make("canceled");
    await findIn(1);
    const [job = ""] = await jobsOf("canceled");
    await world.workJob(job, 2);
    expect((await world.call("PUT", `/v2/jobs/${job}/cancel`)).status).toBe(200);
    await workAll("canceled");
    expect(world.mails).toEqual([]);
    await findIn(2);
    const text =
      'UPDATE recurring_triggers SET criteria = \'{"field":"attributes.nothing","op":"exists"}\' WHERE account = $1';
    await world.sql(text, [world.account.number]);
    await workAll("canceled");
    const [, second = ""] = await jobsOf("canceled");
    const failed = { status: "Failed", metadata: { error: { code: "INVALID_AUDIENCE_RULES" } } };
    expect((await world.call("GET", `/v2/jobs/${second}`)).body).toMatchObject(failed);
    await change("canceled", recurring());
    await findIn(3);
    await findIn(4);
    expect((await jobsOf("canceled")).length).toBeGreaterThan(2);
    await workAll("canceled");
    expect(new Set(reachedBy(world.mails))).toEqual(new Set(PEOPLE));
    await stop("canceled");
  });

  test("waits with a run until ClickHouse has what was stored before, so that its audience lacks nobody", async () => {
    await make("behind");
    await findIn(1);
    const [job = ""] = await jobsOf("behind");
    await world.sql(`INSERT INTO outbox (position, topic, source_partition, payload)
      VALUES (nextval('outbox_positions'), 'changes.contacts', 0, '{}')`);
    await world.workJob(job);
    expect((await world.call("GET", `/v2/jobs/${job}`)).body).toMatchObject({ status: "Throttled" });
    await world.sql("DELETE FROM outbox");
    await workAll("behind");
    expect(reachedBy(world.mails)).toEqual(PEOPLE);
    await stop("behind");
  });

  test("of a template that is deleted sends nothing more", async () => {
    await make("gone");
    await findIn(1);
    const jobs = await jobsOf("gone");
    await world.workJob(jobs[0] ?? "", 2);
    await stop("gone");
    await world.workJob(jobs[0] ?? "");
    await world.sendAll();
    expect(world.mails).toEqual([]);
  });
});

test("a template shows its schedule with the next tick, and holds the saved audience that it names", async () => {
  await world.call("POST", "/v2/audiences", { key: "members", name: "Members", criteria: MEMBERS });
  const schedule = { cron: "0 9 * * MON", timezone: "America/New_York" };
  await make("shown", recurring({ audience: undefined, "audience-key": "members", schedule }));
  const { body } = await world.call("GET", `${ROOT}/shown`);
  expect(body).toMatchObject({
    triggerTypesEnabled: ["api", "recurring"],
    triggers: { recurring: { enabled: true, schedule, "audience-key": "members" } },
    recurringSchedule: schedule,
  });
  expect(Date.parse(body.recurringSchedule.next)).toBeGreaterThan(systemClock.nowMs());
  expect((await world.call("DELETE", "/v2/audiences/members")).body).toMatchObject({ code: "AUDIENCE_IN_USE" });
  await change("shown", { triggers: { recurring: { enabled: false, schedule } } });
  expect((await world.call("GET", `${ROOT}/shown`)).body).toMatchObject({
    triggerTypesEnabled: ["api"],
    recurringSchedule: { cron: "0 9 * * MON" },
  });
  expect((await world.call("DELETE", "/v2/audiences/members")).status).toBe(200);
  await stop("shown");
});

test("an audience or a schedule that cannot be used is refused where it stands", async () => {
  const at = "/triggers/recurring";
  const refused = async (more: object) => problems(await make("refused", recurring(more)));
  expect(await refused({ audience: { field: "nope", op: "exists" } })).toEqual([
    ...[422, "INVALID_AUDIENCE_RULES", `${at}/audience/field unknown_field`],
  ]);
  const invalid = [422, "VALIDATION_ERROR"];
  expect(await refused({ audience: undefined, "audience-key": "none" })).toEqual([
    ...invalid,
    `${at}/audience-key unknown_reference`,
  ]);
  expect(await refused({ "audience-key": "both" })).toEqual([...invalid, `${at}/audience not_allowed`]);
  expect(await refused({ audience: undefined })).toEqual([...invalid, `${at}/audience required`]);
  expect(await refused({ schedule: undefined })).toEqual([...invalid, `${at}/schedule required`]);
  expect(await refused({ schedule: { cron: "* * * * * *" } })).toEqual([...invalid, `${at}/schedule/cron bad_value`]);
  const nowhere = { cron: "0 9 * * *", timezone: "Mars/Olympus" };
  expect(await refused({ schedule: nowhere })).toEqual([...invalid, `${at}/schedule/timezone bad_value`]);
  const plain = { classification: "promotional", ...recurring() };
  expect(problems(await make("plain", plain))).toEqual([...invalid, "/message/content/text~1html required"]);
});
