import { afterAll, beforeAll, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { cid, seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

const HOUR = 3_600_000;
let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  const { service, account } = world;
  await seedAnalytics(service, account, 0);
  await service.postgres.execute({ text: "UPDATE intake.accounts SET created_at = to_timestamp($1)" }, [
    (AT - HOUR) / 1_000,
  ]);
  const wrote = (contact: number, text: string, at: number) => {
    const written = { kind: "string", number: null, version: versionAt(at), at: storedTime(at) };
    return { contact, field: "attributes.color", text, ...written };
  };
  // The second contact was merged into the first: what was its own counts as the survivor's.
  await service.insert("contact_fields_history", account, [
    wrote(1, "green", AT + HOUR),
    wrote(2, "amber", AT + 2 * HOUR),
    wrote(1, "red", AT + 3 * HOUR),
    wrote(3, "blue", AT + 2 * HOUR),
  ]);
  const member = (present: number, at: number) => {
    return { list: 1, contact: 3, present, joined_at: storedTime(AT), version: versionAt(at), at: storedTime(at) };
  };
  await service.insert("memberships_history", account, [member(1, AT + HOUR), member(0, AT + 2 * HOUR)]);
});
afterAll(() => world.drop());

async function exported(hours: number, more: object = {}): Promise<object[]> {
  const asOf = new Date(AT + hours * HOUR + 1).toISOString();
  const fields = ["cID", "color", "lists.vip"];
  const done = await world.run("contactexports", { fields, asOf, exportType: "jsonl", ...more });
  const manifest = JSON.parse((await world.bytes(done.metadata.manifest)).toString());
  expect(manifest.asOf).toBe(asOf);
  const text = (await world.bytes(done.metadata.files[0])).toString();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

const row = (number: number, color: string | null, isMember: boolean) => ({
  cID: cid(number),
  color,
  "lists.vip": isMember,
});

test("an export as of a moment has the values and memberships of then", async () => {
  expect(await exported(1)).toEqual([row(1, "green", false), row(3, null, true)]);
  expect(await exported(2)).toEqual([row(1, "amber", false), row(3, "blue", false)]);
  expect(await exported(3)).toEqual([row(1, "red", false), row(3, "blue", false)]);
});

test("an export as of a moment has those who matched then", async () => {
  const green = { field: "attributes.color", op: "eq", value: "green" };
  expect(await exported(1, { criteria: green })).toEqual([row(1, "green", false)]);
  expect(await exported(3, { criteria: green })).toEqual([]);
  const members = { list: "vip", op: "in" };
  expect(await exported(1, { criteria: members })).toEqual([row(3, null, true)]);
});

test("an export as of a moment has the last write of a contact then, which joining a list is none", async () => {
  const modified = (number: number, at: number) => ({ cID: cid(number), lastModified: new Date(at).toISOString() });
  const fields = ["cID", "lastModified"];
  expect(await exported(1, { fields })).toEqual([modified(1, AT + HOUR), modified(3, AT)]);
  expect(await exported(2, { fields })).toEqual([modified(1, AT + 2 * HOUR), modified(3, AT + 2 * HOUR)]);
});

test("an increment has no moment of its own", async () => {
  const { token } = (await world.run("contactexports", { fields: ["cID"] })).metadata.watermark;
  const refused = await world.post("contactexports", { fields: ["cID"], since: token, asOf: new Date().toISOString() });
  expect(refused.body.details).toMatchObject([{ path: "/since", code: "not_allowed" }]);
});

test("an export as of a moment names the lists that were deleted since", async () => {
  const fields = ["cID", "lists", "lists.vip"];
  await world.service.call(world.key, "/v2/accountlists/1", { method: "DELETE" });
  expect(await exported(1, { fields })).toContainEqual({ cID: cid(3), lists: ["vip"], "lists.vip": true });
});
