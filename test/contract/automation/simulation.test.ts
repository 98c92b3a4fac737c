import { rmSync } from "node:fs";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { wantIdOf } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, workOff } from "../jobs/workOff.ts";
import { template } from "../messaging/templates/templateWorld.ts";
import { type CallOptions, type Running, startService, storedTime } from "../service/running.ts";
import { versionAt } from "../service/seed.ts";

const T0 = Date.UTC(2026, 0, 5, 9);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000] as const;
const CONTACTS = 40;
const JOURNEY = "/v2/orchestrations";

const folder = freshFolder();
let service: Running;
let mine: Awaited<ReturnType<Running["account"]>>;
let key: string;

const call = (method: CallOptions["method"] & string, url: string, body?: unknown) =>
  service.call(key, url, { method, ...(body !== undefined && { body }) });

const cid = (contact: number) => contact.toString(16).padStart(24, "0");
const happened = (contact: number, action: string, atMs: number, properties: object = {}) => ({
  ...{ contact, action, time: storedTime(atMs), ingested: storedTime(atMs + 1_000) },
  ...{ uid: `${contact}:${action}:${atMs}`, record: `r:${contact}:${action}:${atMs}`, mc_id: "" },
  ...{ properties: JSON.stringify(properties), geo_city: "", device: "" },
});

/** Contacts who register a minute apart. One in two buys within the day, one in four is subscribed, the last was merged into the first. */
async function seed(): Promise<void> {
  const numbers = Array.from({ length: CONTACTS }, (_, index) => index + 1);
  const present = {
    created_at: storedTime(T0 - DAY),
    modified_at: storedTime(T0),
    version: versionAt(T0),
    revision: 1,
  };
  await service.insert(
    "contacts_current",
    mine.account,
    numbers.map((contact) => {
      const isMerged = contact === CONTACTS;
      return { contact, cid: cid(contact), merged_into: isMerged ? 1 : 0, deleted: isMerged ? 1 : 0, ...present };
    }),
  );
  await service.insert("contact_aliases", mine.account, [{ contact: CONTACTS, survivor: 1, revision: 1 }]);
  const field = { kind: "string", number: null, version: versionAt(T0), revision: 1 };
  await service.insert(
    "contact_fields_current",
    mine.account,
    numbers.flatMap((contact) => [
      { contact, field: "channels.email.address", text: `c${contact}@x.org`, ...field },
      ...(contact % 4 === 0
        ? []
        : [{ contact, field: "channels.email.subscribeStatus", text: "subscribed", ...field }]),
    ]),
  );
  await service.insert(
    "activities",
    mine.account,
    numbers.flatMap((contact) => [
      happened(contact, "register", T0 + contact * MINUTE, { plan: contact % 3 === 0 ? "pro" : "free" }),
      ...(contact % 2 === 0 ? [happened(contact, "buy", T0 + 5 * HOUR)] : []),
    ]),
  );
}

beforeAll(async () => {
  service = await startService({ files: createFileStore({ folder }) });
  mine = await service.account({ timezone: "Europe/Berlin" });
  key = await service.key(mine.account, { scopes: ["read", "write", "admin"] });
  await seed();
  expect((await call("POST", "/v2/automationtemplates", template("hello"))).status).toBe(201);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const draft = {
  trigger: { event: { action: "register" } },
  goals: [{ name: "bought", event: "buy" }],
  composition: {
    draft: {
      actions: [
        { id: "hello", type: "message", templateKey: "hello", next: [{ id: "wait" }] },
        {
          ...{ id: "wait", type: "wait" },
          config: { any: [{ event: "click" }], timeout: { n: 1, unit: "day" } },
          next: [
            { id: "bought", label: "0" },
            { id: "bought", label: "timeout" },
          ],
        },
        {
          ...{ id: "bought", type: "filter" },
          config: { criteria: { event: "buy", within: { last: { n: 2, unit: "day" } } } },
          next: [{ id: "thanks", label: "yes" }],
        },
        { id: "thanks", type: "exit", config: { name: "bought" } },
      ],
    },
  },
};

const stretch = { from: "2026-01-05T00:00:00Z", to: "2026-01-10T00:00:00Z" };

async function create(body: object): Promise<string> {
  return `${JOURNEY}/${(await call("POST", JOURNEY, { name: "Simulated", ...body })).body.orchestrationID}`;
}

async function simulate(url: string, body: object) {
  const started = await call("POST", `${url}/simulate`, { ...stretch, ...body });
  expect([started.status, started.body.details]).toEqual([202, undefined]);
  const { jobId } = started.body;
  await workOff(service, jobId, folder);
  const { body: job } = await call("GET", `/v2/jobs/${jobId}`);
  expect([job.status, job.metadata?.error]).toEqual(["Done", undefined]);
  const { simulation, files } = job.metadata;
  const contents = new Map<string, string>();
  for (const { name, url: link } of files) {
    const { pathname, search } = new URL(link, "http://files");
    contents.set(name.replace(jobId, "job"), (await service.call(undefined, `${pathname}${search}`)).text);
  }
  return { simulation, contents: [...contents.values()] };
}

/** Rows of every table of both stores but those of jobs, files and the account's log, which a job is. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await service.postgres.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_stat_user_tables WHERE schemaname = 'public'
      AND relname NOT IN ('jobs', 'files', 'account_log', 'job_notices', 'job_leftovers')`,
  });
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await service.postgres.query<{ count: number }>({ text: `SELECT count(*) AS count FROM ${name}` });
    counts[name] = row?.count ?? 0;
  }
  const stored = await service.clickHouse.query<{ name: string; rows: number }>(
    "SELECT table AS name, sum(rows) AS rows FROM system.parts WHERE database = currentDatabase() AND active GROUP BY table",
  );
  for (const { name, rows } of stored) counts[`clickhouse ${name}`] = rows;
  return counts;
}

describe("a simulation", () => {
  test("shows what a draft would have done, and writes and sends nothing", async () => {
    const url = await create(draft);
    const before = await countRows();
    const { simulation, contents } = await simulate(url, { version: "draft", assume: { open: 0, click: 0 } });
    expect(await countRows()).toEqual(before);
    expect(simulation).toMatchObject({
      ...{ version: "draft", basis: "event", entered: 39, live: 0, completed: 19, exited: 20, failed: 0, holdout: 0 },
      refused: { reentry: 1 },
      nodes: [
        { id: "hello", in: 39 },
        { id: "wait", in: 39 },
        { id: "bought", in: 39 },
        { id: "thanks", in: 20 },
      ],
      goals: [{ name: "bought", runs: 20, holdout: 0 }],
      skipped: { "not-subscribed": 9 },
      sends: [{ day: "2026-01-05", template: "hello", count: 30 }],
      assumed: { opens: 0, clicks: 0, calls: 0 },
    });
    const [json = "", csv = "", paths = ""] = contents;
    expect(JSON.parse(json)).toEqual(simulation);
    expect(csv).toContain("runs,entered,,,,39\n");
    const lines = paths
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(39);
    expect(lines[1]).toMatchObject({
      ...{ cID: cid(2), version: "draft", state: "exited", node: "thanks", reason: "bought" },
      path: [{ node: "hello" }, { node: "wait", edge: "timeout" }, { node: "bought", edge: "yes" }, { node: "thanks" }],
    });
  });

  test("gives the same files for the same seed, and other ones for another", async () => {
    const url = await create(draft);
    const options = { version: "draft", samplePercent: 50, assume: { open: 0.6, click: 0.3 } };
    const one = await simulate(url, { ...options, seed: 5 });
    const again = await simulate(url, { ...options, seed: 5 });
    const other = await simulate(url, { ...options, seed: 6 });
    expect(again.contents).toEqual(one.contents);
    expect(other.contents[2]).not.toEqual(one.contents[2]);
    expect(one.simulation.entered).toBeGreaterThan(5);
    expect(one.simulation.entered).toBeLessThan(35);
    expect(one.simulation.assumed.clicks).toBeGreaterThan(0);
    expect(one.contents[2]).toContain('"assumed":true');
  });

  test("of a published version goes by that version, and stops where the stretch does", async () => {
    const url = await create(draft);
    expect((await call("PUT", url, { publish: true })).status).toBe(200);
    await call("PUT", url, { composition: { draft: { actions: [] } } });
    const { simulation } = await simulate(url, { to: "2026-01-05T10:00:00Z", assume: { open: 0, click: 0 } });
    expect(simulation).toMatchObject({
      version: 1,
      entered: 39,
      live: 39,
      nodes: [{}, { id: "wait", waiting: 39 }, {}, {}],
    });
    const wrong = await call("POST", `${url}/simulate`, { version: "draft" });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([422, "/composition/draft/actions"]);
    expect((await call("POST", `${url}/simulate`, { version: 2 })).body.code).toBe("RECORD_NOT_FOUND");
    const late = await call("POST", `${url}/simulate`, { from: "2999-01-01" });
    expect([late.status, late.body.details[0].path]).toEqual([422, "/from"]);
  });

  test("takes what contacts did with messages that a version really sent, and assumes it of all others", async () => {
    const url = await create(draft);
    expect((await call("PUT", url, { publish: true })).status).toBe(200);
    const orchestration = url.slice(JOURNEY.length + 1);
    const sent = [5, 7].map((contact) => {
      const run = wantIdOf("run", orchestration, "activity", `r:${contact}:register:${T0 + contact * MINUTE}`);
      return { contact, run, effect: `${run}:1:send`, want: `w${contact}` };
    });
    for (const { contact, run, effect, want } of sent) {
      const text = `INSERT INTO orchestration_sends (account, want, effect, run, orchestration, node, template, message, contact, cid, n)
        VALUES ($1, $2, $3, $4, $5, 'hello', 'hello', 'mdt:d260105', $6, $7, 1)`;
      await service.postgres.execute({ text }, [
        mine.account.number,
        want,
        effect,
        run,
        orchestration,
        contact,
        cid(contact),
      ]);
    }
    const mcId = `${mine.account.id}:mdt:d260105:o:${cid(5)}:1`;
    const click = { ...happened(5, "click", T0 + 2 * HOUR), mc_id: mcId };
    await service.insert("activities", mine.account, [click]);
    const { contents } = await simulate(url, { assume: { open: 1, click: 1 } });
    const lines = (contents[2] ?? "")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const of = (contact: number) => lines.find((line) => line.cID === cid(contact));
    expect(of(5)).toMatchObject({ path: [{}, { edge: "0" }, { at: new Date(T0 + 2 * HOUR).toISOString() }] });
    expect(of(7)).toMatchObject({ path: [{}, { edge: "timeout" }, {}] });
    expect([of(5), of(7)].map(({ assumed }) => assumed)).toEqual([undefined, undefined]);
    expect(of(9)).toMatchObject({ path: [{}, { edge: "0" }, {}], assumed: true });
  });

  test("finds the zone of a contact as runs do: in a place that it has, else that of the account", async () => {
    const place = { kind: "object", number: null, version: versionAt(T0), revision: 1 };
    const text = JSON.stringify({ city: "New York", tz: "America/New_York" });
    await service.insert("contact_fields_current", mine.account, [
      { contact: 2, field: "attributes.home", text, ...place },
    ]);
    const noon = {
      id: "noon",
      type: "delay",
      config: { until: { time: "12:00", zone: "contact" } },
      next: [{ id: "end" }],
    };
    const actions = [noon, { id: "end", type: "exit" }];
    const url = await create({ trigger: { event: { action: "register" } }, composition: { draft: { actions } } });
    const { contents } = await simulate(url, { version: "draft" });
    const lines = (contents[2] ?? "")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const ends = [2, 3].map((contact) => lines.find((line) => line.cID === cid(contact)).path[1].at);
    expect(ends).toEqual(["2026-01-05T17:00:00.000Z", "2026-01-05T11:00:00.000Z"]);
  });

  test("starts contacts that enter an audience at the minute at which they do", async () => {
    const criteria = { event: "buy", within: { last: { n: 1, unit: "day" } } };
    expect((await call("POST", "/v2/audiences", { key: "buyers", name: "buyers", criteria })).status).toBe(201);
    const pause = { id: "pause", type: "delay", config: { for: { n: 3, unit: "day" } } };
    const url = await create({ trigger: { audience: "buyers" }, composition: { draft: { actions: [pause] } } });
    const { simulation, contents } = await simulate(url, { version: "draft" });
    expect(simulation).toMatchObject({ entered: 20, completed: 20 });
    const [first] = (contents[2] ?? "").split("\n");
    expect(JSON.parse(first ?? "").path[0].at).toBe(new Date(T0 + 5 * HOUR + MINUTE).toISOString());
  });
});
