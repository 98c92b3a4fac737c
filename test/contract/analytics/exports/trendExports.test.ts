import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { cid, seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ts = (ms: number) => new Date(ms).toISOString();
const criteria = { event: "browse", within: { last: { n: 2, unit: "day" } } };
const timeframe = { start: ts(AT - 3 * DAY), end: ts(AT + 6 * DAY) };

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  await seedAnalytics(world.service, world.account, 0);
  const browsed = (contact: number, at: number) => ({
    ...{
      contact,
      action: "browse",
      time: storedTime(at),
      ingested: storedTime(at),
      uid: `t${at}`,
      record: `t:${at}:0`,
    },
    ...{ mc_id: "", properties: "{}", geo_city: "", device: "" },
  });
  const others = [browsed(1, AT + 4 * DAY), browsed(3, AT - 2 * DAY), browsed(3, AT + DAY)];
  await world.service.insert("activities", world.account, others);
  const saved = await world.post("audiences", { key: "browsers", name: "Browsers", criteria });
  if (saved.status !== 201) throw new Error(JSON.stringify(saved.body));
});
afterAll(() => world.drop());

type Row = Readonly<Record<"audience" | "segment" | "from" | "to", string>> &
  Readonly<Record<"count" | "entered" | "left", number>>;

async function trend(body: object): Promise<Row[]> {
  const done = await world.run("audiencetrendsexport", { timeframe, ...body });
  expect(done).toMatchObject({ jobName: "ExportAudienceTrends", status: "Done" });
  return done.metadata.data;
}

async function count(body: object): Promise<number> {
  const answer = await world.post("audiencecount", body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.count;
}

describe("a trend", () => {
  test("has a row a day, each with the count as of its end, and nobody comes or goes unseen", async () => {
    const rows = await trend({ audiences: ["browsers"], criteria: { and: [] }, timezone: "Europe/Berlin" });
    expect(rows.map(({ audience }) => audience)).toEqual([
      ...Array.from({ length: 10 }, () => "browsers"),
      ...Array.from({ length: 10 }, () => "(criteria)"),
    ]);
    expect([rows[0]?.from, rows[0]?.to, rows[9]?.to]).toEqual([
      timeframe.start,
      "2026-01-06T23:00:00.000Z",
      timeframe.end,
    ]);
    const options = { basis: "event", timezone: "Europe/Berlin" };
    for (const row of rows.slice(0, 10))
      expect(row.count).toBe(await count({ key: "browsers", asOf: row.to, ...options }));
    expect(new Set(rows.slice(10).map((row) => row.count))).toEqual(new Set([2]));
    for (const [index, row] of rows.slice(1, 10).entries()) {
      expect(row.count).toBe((rows[index]?.count ?? 0) + row.entered - row.left);
      expect(row.from).toBe(rows[index]?.to);
    }
    expect(rows.some(({ entered }) => entered > 0) && rows.some(({ left }) => left > 0)).toBe(true);
  });

  test("separates segments, the largest first, then the others and those without a value", async () => {
    const rows = await trend({ criteria, segmentBy: "attributes.color", grain: "week" });
    expect([...new Set(rows.map(({ segment }) => segment))]).toEqual(["red", "blue", "(other)", "(none)"]);
    for (const { segment, to, count: counted } of rows) {
      if (segment !== "red") continue;
      const rule = { and: [criteria, { field: "attributes.color", op: "eq", value: segment }] };
      expect(counted).toBe(await count({ criteria: rule, asOf: to, basis: "event" }));
    }
    const lists = await trend({ criteria, segmentBy: { lists: ["vip"] }, grain: "month" });
    expect([...new Set(lists.map(({ segment }) => segment))]).toEqual(["vip", "(other)", "(none)"]);
    const all = await trend({ criteria, segmentBy: "list", grain: "month" });
    expect(all).toEqual(lists);
  });

  test("names a segment that everybody has left, after those that somebody is in", async () => {
    const rows = await trend({ criteria, segmentBy: "attributes.color" });
    expect([...new Set(rows.map(({ segment }) => segment))]).toEqual(["red", "blue", "(other)", "(none)"]);
    const blue = rows.filter(({ segment }) => segment === "blue").map(({ count: counted }) => counted);
    expect([Math.max(...blue), blue.at(-1)]).toEqual([1, 0]);
  });

  test("names the 50 segments with the greatest count at any bound, the largest at the end first", async () => {
    const { account, service } = world;
    const teams = Array.from({ length: 51 }, (_, position) => `team ${String(position + 1).padStart(2, "0")}`);
    const members = [...teams, "former", "former"].map((team, place) => ({ contact: 1_000 + place, team }));
    await ensureAttributes(service.postgres, [{ account: account.number, key: "team" }], AT);
    const present = { created_at: storedTime(AT), modified_at: storedTime(AT), version: versionAt(AT), revision: 1 };
    await service.insert(
      "contacts_current",
      account,
      members.map(({ contact }) => ({ contact, cid: cid(contact), merged_into: 0, deleted: 0, ...present })),
    );
    const field = { field: "attributes.team", kind: "string", number: null, version: versionAt(AT), revision: 1 };
    await service.insert(
      "contact_fields_current",
      account,
      members.map(({ contact, team }) => ({ contact, text: team, ...field })),
    );
    const visits = members.map(({ contact, team }) => {
      const time = storedTime(team === "former" ? AT : AT + 5 * DAY);
      const ids = { uid: `visit ${contact}`, record: `v:${contact}:0` };
      const empty = { mc_id: "", properties: "{}", geo_city: "", device: "" };
      return { contact, action: "visit", time, ingested: time, ...ids, ...empty };
    });
    await service.insert("activities", account, visits);
    const rows = await trend({
      criteria: { event: "visit", within: { last: { n: 2, unit: "day" } } },
      segmentBy: "attributes.team",
    });
    const named = [...teams.slice(0, 49), "former", "(other)", "(none)"];
    expect([...new Set(rows.map(({ segment }) => segment))]).toEqual(named);
    const atEnd = rows.filter(({ to }) => to === timeframe.end).map(({ count: counted }) => counted);
    expect(atEnd).toEqual([...teams.slice(0, 49).map(() => 1), 0, 2, 0]);
  });

  test("of a list that was deleted and made anew means at each moment the one of then", async () => {
    const { account, service } = world;
    const lists = [
      [101, "deleted:101", AT - 2 * DAY, AT + 2.5 * DAY, "tl"],
      [102, "tl", AT + 3.5 * DAY, null, null],
    ] as const;
    for (const values of lists) {
      const text = `INSERT INTO lists (account, id, name, display_name, name_key, created_at, deleted_at, former_key)
        VALUES ($1, $2, 'TL', 'TL', $3, $4, $5, $6)`;
      await service.postgres.execute({ text }, [account.number, ...values]);
    }
    const text = "UPDATE intake.accounts SET created_at = to_timestamp($2::bigint / 1000) WHERE number = $1";
    await service.postgres.execute({ text }, [account.number, AT - 5 * DAY]);
    const joined = (list: number, contact: number, at: number) => {
      const instant = storedTime(at);
      return { list, contact, present: 1, joined_at: instant, version: versionAt(at), at: instant };
    };
    const members = [joined(101, 1, AT + HOUR), joined(101, 3, AT + HOUR), joined(102, 1, AT + 4 * DAY)];
    await service.insert("memberships_history", account, members);
    const inTl = { list: "tl", op: "in" };
    const recorded = await trend({ criteria: inTl, basis: "recorded" });
    expect(new Set(recorded.map((row) => row.count))).toEqual(new Set([0, 1, 2]));
    for (const { to, count: counted } of recorded)
      expect([to, counted]).toEqual([to, await count({ criteria: inTl, asOf: to, basis: "recorded" })]);
    const without = await trend({ criteria: { list: "TL", op: "notIn" }, basis: "recorded" });
    const everybody = await trend({ criteria: { and: [] }, basis: "recorded" });
    expect(without.map((row, place) => row.count + (recorded[place]?.count ?? 0))).toEqual(
      everybody.map((row) => row.count),
    );
    const segments = await trend({ criteria: { and: [] }, basis: "recorded", segmentBy: { lists: ["TL"] } });
    const ofList = segments.filter(({ segment }) => segment === "TL");
    expect(ofList.map((row) => row.count)).toEqual(recorded.map((row) => row.count));
    const byId = await trend({ criteria: { list: 102, op: "in" }, basis: "recorded" });
    expect(new Set(byId.map((row) => row.count))).toEqual(new Set([0, 1]));
    await service.postgres.execute({ text: "DELETE FROM lists WHERE account = $1 AND id > 100" }, [account.number]);
  });

  test("is written to a file with its columns in every format", async () => {
    const done = await world.run("audiencetrendsexport", {
      ...{ criteria, timeframe, grain: "month", exportType: "jsonl" },
      columnHeaders: [{ name: "to", label: "until" }, { name: "count" }],
    });
    const text = (await world.bytes(done.metadata.files[0])).toString();
    expect(text).toBe(`${JSON.stringify({ until: timeframe.end, count: 1 })}\n`);
  });

  test("is refused whole with the paths of all that is wrong", async () => {
    const refused = await world.post("audiencetrendsexport", {
      ...{ grain: "minute", basis: "past", segmentBi: "x", columnHeaders: [{ name: "cuont" }] },
    });
    expect(refused).toMatchObject({ status: 422, body: { code: "EXPORT_CONFIGURATION_ERROR" } });
    const codesOf = ({ body }: typeof refused) =>
      body.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort();
    expect(codesOf(refused)).toEqual([
      "/basis bad_value",
      "/columnHeaders/0/name unknown_field",
      "/grain bad_value",
      "/segmentBi unknown_field",
    ]);
    const wrong: readonly (readonly [object, string])[] = [
      [{ audiences: ["browser"] }, "/audiences/0 unknown_reference"],
      [{ criteria, segmentBy: "country" }, "/segmentBy bad_value"],
      [{ criteria, segmentBy: "attributes.colour" }, "/segmentBy unknown_field"],
      [{ criteria, segmentBy: { lists: ["vap"] } }, "/segmentBy/lists/0 unknown_reference"],
      [{ criteria, segmentBy: "createdAt" }, "/segmentBy bad_value"],
      [{ criteria, timeframe: { start: "2020-01-01", end: "2026-01-01" }, grain: "hour" }, "/grain out_of_range"],
      [{ criteria, timeframe: { start: "2250-01-01", end: "2250-02-01" } }, "/timeframe/start out_of_range"],
      [
        { criteria, basis: "recorded", timeframe: { start: "1990-01-01", end: "1991-01-01" } },
        "/timeframe/start out_of_range",
      ],
    ];
    for (const [body, problem] of wrong)
      expect([body, codesOf(await world.post("audiencetrendsexport", body))]).toEqual([body, [problem]]);
    const all = { criteria: { event: 5 }, audiences: ["nobody"], segmentBy: "createdAt", grain: "second" };
    const answer = await world.post("audiencetrendsexport", all);
    expect(answer.body.code).toBe("EXPORT_CONFIGURATION_ERROR");
    expect(codesOf(answer)).toEqual([
      "/audiences/0 unknown_reference",
      "/criteria/event type_mismatch",
      "/grain bad_value",
      "/segmentBy bad_value",
    ]);
    const rules = await world.post("audiencetrendsexport", { criteria: { event: 5 } });
    expect(rules).toMatchObject({
      status: 422,
      body: { code: "INVALID_AUDIENCE_RULES", details: [{ path: "/criteria/event" }] },
    });
  });

  test("of all saved audiences is refused with the key of the one that cannot be counted", async () => {
    const { account } = await world.service.account();
    const key = await world.service.key(account, { scopes: ["read", "write", "admin"] });
    const call = async (method: "POST" | "DELETE", path: string, body?: object) =>
      (await world.service.call(key, `/v2/${path}`, { method, ...(body && { body }) })).body;
    const { id } = await call("POST", "accountlists", { name: "brief" });
    await call("POST", "audiences", { key: "fine", name: "Fine", criteria: { and: [] } });
    await call("POST", "audiences", { key: "broken", name: "Broken", criteria: { not: { list: id, op: "in" } } });
    await call("DELETE", `accountlists/${id}`);
    expect(await call("POST", "audiencetrendsexport", {})).toMatchObject({
      code: "INVALID_AUDIENCE_RULES",
      details: [
        { path: "/audiences", code: "unknown_reference", message: expect.stringMatching(/"broken".*\(\/not\/list\)$/) },
      ],
    });
  });

  test("is of the caller's own account alone", async () => {
    const { account } = await world.service.account();
    const key = await world.service.key(account, { scopes: ["read", "write", "admin"] });
    const body = { audiences: ["browsers"], timeframe };
    const refused = await world.service.call(key, "/v2/audiencetrendsexport", { method: "POST", body });
    expect(refused).toMatchObject({
      status: 422,
      body: { details: [{ path: "/audiences/0", code: "unknown_reference" }] },
    });
  });
});
