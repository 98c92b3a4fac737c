import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AT } from "../../service/seed.ts";
import { cid, seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, haveRead, loggedActivity, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  await seedAnalytics(world.service, world.account, 0);
  const geo = { geo_city: "Bonn", properties: '{"category":"Shoes","index":9007199254740995}' };
  await insert([
    loggedActivity(1, { offset: 1 }, geo),
    loggedActivity(2, { offset: 2 }, { action: "open", mc_id: "acc:m1:b:1:1" }),
    loggedActivity(3, { offset: 3 }),
    loggedActivity(1, { offset: 4 }),
  ]);
  await haveRead(world, 5);
});
afterAll(() => world.drop());

const insert = (rows: readonly object[]) => world.service.insert("activities", world.account, rows);
const timeframe = { start: "2000-01-01", end: "2100-01-01" };
const text = async (job: { metadata: { files: { id: string }[] } }) => {
  const [file] = job.metadata.files;
  if (file === undefined) throw new Error("the job has no file");
  return (await world.bytes(file)).toString();
};
const rowsOf = async (job: Parameters<typeof text>[0]) =>
  (await text(job))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("an export of activities", () => {
  test("holds each activity once, of the contact it belongs to now, each contact's in order of time", async () => {
    // The repeat of one that was not folded yet.
    await insert([loggedActivity(1, { offset: 4 }, { ingested: "2030-01-01 00:00:00.000" })]);
    const body = { timeframe, exportType: "jsonl", additionalJsonlFields: ["geo"], contactFields: ["color"] };
    const done = await world.run("contactactivityexport", body);
    expect(done).toMatchObject({ jobName: "ExportEvents", status: "Done", totalItems: 4, completedItems: 4 });
    const rows = await rowsOf(done);
    expect(rows.map(({ id, cID }) => [id, cID])).toEqual([
      ["r:1:0", cid(1)],
      ["r:2:0", cid(1)],
      ["r:4:0", cid(1)],
      ["r:3:0", cid(3)],
    ]);
    expect(rows[0]).toEqual({
      id: "r:1:0",
      action: "browse",
      cID: cid(1),
      email: "ada@example.com",
      time: new Date(AT + 1).toISOString(),
      receivedAt: new Date(AT + 1).toISOString(),
      mcID: null,
      bmID: null,
      UID: "u1",
      properties: { category: "Shoes", index: expect.any(Number) },
      geo: { city: "Bonn" },
      "contact.color": "red",
    });
    expect(rows[1]).toMatchObject({ mcID: "acc:m1:b:1:1", bmID: "m1", geo: null });
    expect(await text(done)).toContain('"index":9007199254740995}');
  });

  test("in csv has a column for each property when all are asked for", async () => {
    const body = { timeframe, selected_action_name: "browse", showAllProperties: true };
    const lines = (await text(await world.run("contactactivityexport", body))).trimEnd().split("\r\n");
    expect(lines[0]).toContain('"properties","properties.category","properties.index"');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/,"Shoes",9007199254740995$/);
  });

  test("an increment holds what came since, whatever came again meanwhile", async () => {
    const first = await world.run("contactactivityexport", { timeframe, exportType: "jsonl" });
    const late = loggedActivity(3, { offset: 6 }, { time: "2020-01-01 00:00:00.000" });
    const again = loggedActivity(1, { offset: 7 }, { ...loggedActivity(1, { offset: 1 }), log_offset: 7 });
    await insert([late, { ...again, ingested: "2030-01-01 00:00:00.000" }]);
    await haveRead(world, 8);
    const { token } = first.metadata.watermark;
    const second = await world.run("contactactivityexport", { since: token, exportType: "jsonl" });
    expect((await rowsOf(second)).map(({ id }) => id)).toEqual(["r:6:0"]);
    await world.service.clickHouse.command("OPTIMIZE TABLE activities FINAL");
    const same = await world.run("contactactivityexport", { until: token, timeframe, exportType: "jsonl" });
    expect((await rowsOf(same)).map(({ id }) => id).sort()).toEqual((await rowsOf(first)).map(({ id }) => id).sort());
  });

  test("needs a timeframe or a watermark of the account", async () => {
    const none = await world.post("contactactivityexport", {});
    expect(none.body.details).toMatchObject([{ path: "/timeframe", code: "required" }]);
    const { token } = (await world.run("contactactivityexport", { timeframe })).metadata.watermark;
    const { key } = await world.service.account();
    for (const [input, by] of [
      ["x.y", world.key],
      [token, await world.service.key((await world.service.account()).account, { scopes: ["read", "write", "admin"] })],
      [token, key],
    ] as const) {
      const wrong = await world.service.call(by, "/v2/contactactivityexport", {
        method: "POST",
        body: { since: input },
      });
      expect(wrong.body.details[0]).toMatchObject({ path: "/since", code: "bad_value" });
    }
  });
});
