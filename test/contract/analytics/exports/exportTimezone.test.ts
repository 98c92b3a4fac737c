import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AT, versionAt } from "../../service/seed.ts";
import { cid, seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, haveRead, loggedActivity, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
let by: { readonly key: string };
let run: (path: Parameters<ExportWorld["run"]>[0], body: object) => Promise<ReturnType<typeof JSON.parse>>;
let textOf: (job: { metadata: { files: { id: string }[] } }) => Promise<string>;
beforeAll(async () => {
  world = await startExportWorld();
  const { account } = await world.service.account({ timezone: "Europe/Berlin" });
  by = { key: await world.service.key(account, { scopes: ["read", "write", "admin"] }) };
  run = (path, body) => world.runAs(by, path, body);
  textOf = async ({ metadata: { files } }) => {
    const [file] = files;
    return file === undefined ? "" : (await world.bytes({ ...file, account: account.id })).toString();
  };
  await seedAnalytics(world.service, account, 0);
  await world.service.insert("activities", account, [loggedActivity(1, { offset: 1 })]);
  await haveRead(world, 2);
  const field = { contact: 1, kind: "string", number: null, version: versionAt(AT), revision: 1 };
  await world.service.insert("contact_fields_current", account, [
    { ...field, field: "channels.email.subscribedAt", text: "2026-03-05" },
    { ...field, field: "channels.email.unsubscribedAt", text: "2026-03-05T02:00+02" },
  ]);
});
afterAll(() => world.drop());

/** The contacts were made at 22:47 of the 9th by UTC: that is the 10th in Tokyo and not yet in Berlin. */
const criteria = { field: "createdAt", op: "on", value: "2026-01-10" };
const timezone = "Asia/Tokyo";

describe("the timezone of an export", () => {
  test("is that of the days in the criteria of contacts, the account's when none is given", async () => {
    expect(await run("contactexports", { fields: ["cID"], criteria })).toMatchObject({ status: "Done", totalItems: 0 });
    const first = await run("contactexports", { fields: ["cID"], criteria, timezone });
    expect(first).toMatchObject({ status: "Done", totalItems: 2 });
    const { token: since } = first.metadata.watermark;
    const next = await run("contactexports", { fields: ["cID"], criteria, timezone, since });
    expect(next).toMatchObject({ status: "Done", totalItems: 0 });
  });

  test("is that of the days in the criteria of activities", async () => {
    const body = { timeframe: { start: "2000-01-01", end: "2100-01-01" }, criteria };
    expect(await run("contactactivityexport", body)).toMatchObject({ status: "Done", totalItems: 0 });
    expect(await run("contactactivityexport", { ...body, timezone })).toMatchObject({ status: "Done", totalItems: 1 });
  });
});

test("times of a channel are written as moments, a date alone as its midnight in the account's zone", async () => {
  const fields = ["cID", "channels.email.subscribedAt", "channels.email.unsubscribedAt"];
  const [row] = (await textOf(await run("contactexports", { fields, exportType: "jsonl" }))).split("\n");
  expect(JSON.parse(row ?? "")).toEqual({
    cID: cid(1),
    "channels.email.subscribedAt": "2026-03-04T23:00:00.000Z",
    "channels.email.unsubscribedAt": "2026-03-05T00:00:00.000Z",
  });
});
