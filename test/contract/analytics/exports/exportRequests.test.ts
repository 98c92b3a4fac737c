import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AT } from "../../service/seed.ts";
import { cid, seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, haveRead, loggedActivity, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  await seedAnalytics(world.service, world.account, 0);
  await world.service.insert("activities", world.account, [
    loggedActivity(1, { offset: 1 }, { geo_city: "Bonn", geo_lat: 50.7, geo_lon: 7.5, device: '{"type":"phone"}' }),
    loggedActivity(3, { offset: 2 }),
  ]);
  await haveRead(world, 5);
});
afterAll(() => world.drop());

const timeframe = { start: "2000-01-01", end: "2100-01-01" };
const vip = { list: "vip", op: "in" };
const fields = ["cID"];

type Refusal = readonly [body: object, ...details: string[]];

/** Members of every export, each wrong in one way: what the details say, as `path code`. */
const common: readonly Refusal[] = [
  [{ nme: "x" }, "/nme unknown_field"],
  [{ exportType: "xml" }, "/exportType bad_value"],
  [{ compress: "yes" }, "/compress type_mismatch"],
  [{ compression: "lz4" }, "/compression bad_value"],
  [{ compression: "snappy" }, "/compression bad_value"],
  [{ compress: true, compression: "zstd" }, "/compress not_allowed"],
  [{ name: "a b" }, "/name bad_value"],
  [{ name: "a".repeat(101) }, "/name bad_value"],
  [{ delimiter: "||" }, "/delimiter bad_value"],
  [{ delimiter: '"' }, "/delimiter bad_value"],
  [{ showHeader: "no" }, "/showHeader type_mismatch"],
  [{ limitRecordsPerFile: -1 }, "/limitRecordsPerFile out_of_range"],
  [{ limitRecordsPerFile: 1.5 }, "/limitRecordsPerFile out_of_range"],
  [{ limitRecordsPerFile: "5" }, "/limitRecordsPerFile type_mismatch"],
  [{ timezone: "Mars/Olympus" }, "/timezone bad_value"],
  [{ bom: "x" }, "/bom type_mismatch"],
  [{ formulaSafe: 3 }, "/formulaSafe type_mismatch"],
  [{ columnHeaders: [] }, "/columnHeaders type_mismatch"],
  [{ columnHeaders: [{ name: "nope" }] }, "/columnHeaders/0/name unknown_field"],
  [{ columnHeaders: [{ label: "x" }] }, "/columnHeaders/0/name required"],
  [{ destination: {} }, "/destination/type required"],
  [{ destination: { type: "ftp" } }, "/destination/type bad_value"],
  [{ destination: { type: "gcs", bucket: "x" } }, "/destination/type bad_value"],
  [{ destination: { type: "s3", savedKey: "nope" } }, "/destination/savedKey unknown_reference"],
  [{ confirmEmail: "x" }, "/confirmEmail bad_value"],
  [{ jobStatusWebhookUrl: "nope" }, "/jobStatusWebhookUrl bad_value"],
  [{ jobStatusWebhookUrl: "https://hooks.example/x" }, "/jobStatusWebhookUrl not_allowed"],
];

const timeframes: readonly Refusal[] = [
  [{ timeframe: undefined }, "/timeframe required"],
  [{ timeframe: {} }, "/timeframe/start required", "/timeframe/end required"],
  [{ timeframe: { start: "2000-01-01" } }, "/timeframe/end required"],
  [{ timeframe: null, selected_timeframe_start: "2000-01-01" }, "/selected_timeframe_end required"],
  [{ timeframe: { start: "2001-01-01", end: "2000-01-01" } }, "/timeframe/end out_of_range"],
  [
    { timeframe: undefined, selected_timeframe_start: "2001-01-01", selected_timeframe_end: "2000-01-01" },
    "/selected_timeframe_end out_of_range",
  ],
  [{ timeframe: { start: "x", end: "2000-01-01" } }, "/timeframe/start bad_value"],
  [{ timeframe: "x" }, "/timeframe type_mismatch"],
  [{ timeframe: { ...timeframe, until: 1 } }, "/timeframe/until unknown_field"],
  [{ selected_timeframe_start: "2000-01-01" }, "/selected_timeframe_start not_allowed"],
  [{ timeframe: undefined, selected_timeframe_end: "2000-01-01" }, "/selected_timeframe_start required"],
];

const paths = {
  contactexports: {
    usual: { fields },
    refused: [
      [{ fields: undefined }, "/fields required"],
      [{ fields: [] }, "/fields required"],
      [{ fields: "cID" }, "/fields type_mismatch"],
      [{ fields: ["colr"] }, "/fields/0 unknown_field"],
      [{ fields: ["cID", "cID"] }, "/fields bad_value"],
      [{ lists: "vip" }, "/lists type_mismatch"],
      [{ lists: ["nope"] }, "/lists/0 unknown_reference"],
      [
        {
          columnHeaders: [
            { name: "cID", label: "x" },
            { name: "cID", label: "x" },
          ],
        },
        "/columnHeaders/1 bad_value",
      ],
      [{ timeframe }, "/timeframe unknown_field"],
      [{ "audience-key": "nope" }, "/audience-key unknown_reference"],
      [{ "audience-key": "nope", criteria: vip }, "/criteria not_allowed"],
      [{ "audience-key": "nope", name: "a b" }, "/name bad_value", "/audience-key unknown_reference"],
      [{ asOf: "2010-01-01T00:00:00Z" }, "/asOf out_of_range"],
      [{ asOf: "2100-01-01T00:00:00Z" }, "/asOf out_of_range"],
      [{ asOf: "9999-12-31" }, "/asOf out_of_range"],
      [{ asOf: "x" }, "/asOf bad_value"],
      [{ since: "x" }, "/since bad_value"],
      [{ until: "x" }, "/until bad_value"],
    ],
  },
  contactactivityexport: {
    usual: { timeframe },
    refused: [
      ...timeframes,
      [{ selected_action_name: "browse", selected_action_names: ["x"] }, "/selected_action_names not_allowed"],
      [{ selected_action_names: [5] }, "/selected_action_names type_mismatch"],
      [{ selected_action_names: ["custom", "browse"] }, "/selected_action_names not_allowed"],
      [{ selected_contact: "nope" }, "/selected_contact unknown_reference"],
      [{ selected_contact: cid(1), criteria: vip }, "/selected_contact not_allowed"],
      [{ selected_audience_key: "nope" }, "/selected_audience_key unknown_reference"],
      [{ selected_message_type: "nope" }, "/selected_message_type bad_value"],
      [{ selected_message_type: "" }, "/selected_message_type bad_value"],
      [{ selected_message_id: "" }, "/selected_message_id bad_value"],
      [{ selected_action_name: "" }, "/selected_action_name bad_value"],
      [{ selected_action_names: [] }, "/selected_action_names bad_value"],
      [{ selected_action_names: ["open", ""] }, "/selected_action_names bad_value"],
      [{ selected_channel: "" }, "/selected_channel bad_value"],
      [{ selected_channel: "emial" }, "/selected_channel unknown_reference"],
      [{ sort: "id" }, "/sort bad_value"],
      [{ showAllProperties: "x" }, "/showAllProperties type_mismatch"],
      [{ additionalJsonlFields: ["x"] }, "/additionalJsonlFields/0 unknown_field"],
      [{ contactFields: ["x"] }, "/contactFields/0 unknown_field"],
      [{ columnHeaders: [{ name: "geo.region" }] }, "/columnHeaders/0/name unknown_field"],
      [{ columnHeaders: [{ name: "contact.nope" }] }, "/columnHeaders/0/name unknown_field"],
      [{ since: "x" }, "/since bad_value"],
    ],
  },
  audiencetrendsexport: {
    usual: { criteria: vip },
    refused: [
      ...timeframes.filter(([body]) => "timeframe" in body && body.timeframe !== undefined),
      [{ audiences: ["nope"] }, "/audiences/0 unknown_reference"],
      [{ audiences: Array.from({ length: 21 }, (_, at) => `a${at}`) }, "/audiences too_many"],
      [{ grain: "year" }, "/grain bad_value"],
      [{ grain: "hour", timeframe: { start: "2000-01-01", end: "2010-01-01" } }, "/grain out_of_range"],
      [{ basis: "x" }, "/basis bad_value"],
      [{ basis: "recorded", timeframe }, "/timeframe/start out_of_range"],
      [{ timeframe: { start: "2100-01-01", end: "2101-01-01" } }, "/timeframe/start out_of_range"],
      [{ segmentBy: "nope" }, "/segmentBy unknown_field"],
      [{ segmentBy: { lists: ["nope"] } }, "/segmentBy/lists/0 unknown_reference"],
      [{ eligibleFor: { channel: "email" } }, "/eligibleFor/classification bad_value"],
      [
        { eligibleFor: { channel: "emial", classification: "transactional" } },
        "/eligibleFor/channel unknown_reference",
      ],
      [{ since: "x" }, "/since unknown_field"],
    ],
  },
  accountmonitorexport: {
    usual: { timeframe },
    refused: [
      ...timeframes,
      [{ selected_category: "nope" }, "/selected_category bad_value"],
      [{ selected_level: "Fatal" }, "/selected_level bad_value"],
      [{ selected_level: "", selected_category: "" }, "/selected_category bad_value", "/selected_level bad_value"],
    ],
  },
  messageanalyticsexport: {
    usual: { timeframe },
    refused: [
      ...timeframes,
      [{ type: "x" }, "/type bad_value"],
      [{ viewMode: "x" }, "/viewMode bad_value"],
      [{ timeframeBasis: "x" }, "/timeframeBasis bad_value"],
      [{ selected_message_tags_operator: "x" }, "/selected_message_tags_operator bad_value"],
      [{ selected_audience_names: ["nope"] }, "/selected_audience_names/0 unknown_reference"],
      [{ selected_channel: "" }, "/selected_channel bad_value"],
      [{ selected_message_name: "" }, "/selected_message_name bad_value"],
      [{ selected_message_tags: [] }, "/selected_message_tags bad_value"],
      [{ selected_audience_ids: [] }, "/selected_audience_ids bad_value"],
      [{ rollupAutomations: "x" }, "/rollupAutomations type_mismatch"],
    ],
  },
} as const satisfies Record<string, { readonly usual: object; readonly refused: readonly Refusal[] }>;

const jobs = async () => (await world.service.call(world.key, "/v2/jobs")).body.data.length;

describe.each(Object.entries(paths))("the body of %s", (path, { usual: fallback, refused }) => {
  test("is refused for what is wrong with it, and for nothing else", async () => {
    const before = await jobs();
    for (const [body, ...details] of [...common, ...refused]) {
      const answer = await world.post(path, { ...fallback, ...body });
      expect(answer).toMatchObject({ status: 422, body: { code: "EXPORT_CONFIGURATION_ERROR" } });
      const found = answer.body.details.map((one: { path: string; code: string }) => `${one.path} ${one.code}`);
      expect(found, JSON.stringify(body)).toEqual(details);
    }
    expect(await jobs()).toBe(before);
  });

  test("is refused for all that is wrong with it at once, destination and notices too", async () => {
    const wrong = { nme: "x", destination: { type: "ftp" }, jobStatusWebhookUrl: "nope", confirmEmail: "x" };
    const answer = await world.post(path, { ...fallback, ...wrong });
    expect(answer.body.details.map((one: { path: string }) => one.path).sort()).toEqual([
      "/confirmEmail",
      "/destination/type",
      "/jobStatusWebhookUrl",
      "/nme",
    ]);
  });

  test("may name an account, which is passed over", async () => {
    const body = {
      ...fallback,
      accountId: "x",
      accountID: 1,
      exportType: "CSV",
      showHeader: "false",
      delimiter: "Pipe",
    };
    expect(await world.post(path, body)).toMatchObject({ status: 202 });
  });
});

const cellsOf = async (path: Parameters<ExportWorld["run"]>[0], body: object) => {
  const done = await world.run(path, body);
  return (await world.bytes(done.metadata.files[0])).toString();
};

describe("a refusal", () => {
  test("names what may have been meant, and the earliest moment that is kept", async () => {
    const misspelled = await world.post("contactexports", { fields: ["colr"] });
    expect(misspelled.body.details[0].allowed).toContain("color");
    const early = await world.post("contactexports", { fields, asOf: "2010-01-01" });
    expect(early.body.details[0].earliest).toMatch(/^20\d\d-/);
    const criteria = await world.post("contactexports", {
      fields,
      criteria: { field: "attributes.colr", op: "exists" },
    });
    expect(criteria).toMatchObject({ status: 422, body: { code: "INVALID_AUDIENCE_RULES" } });
    expect(criteria.body.details[0].path).toBe("/criteria/field");
  });
});

describe("a file", () => {
  test("has quotes around a cell that holds its delimiter", async () => {
    const created = new Date(AT).toISOString();
    const text = await cellsOf("contactexports", { fields: ["cID", "createdAt", "color"], delimiter: ":" });
    expect(text.split("\r\n")[1]).toBe(`"${cid(1)}":"${created}":"red"`);
    const members = await cellsOf("contactexports", { fields: [], lists: ["vip"], delimiter: "1", showHeader: false });
    expect(members).toBe('"1"\r\n0\r\n');
  });

  test("of activities has columns for their parts and for their contacts", async () => {
    const columnHeaders = [
      { name: "id", label: "Id" },
      { name: "geo.city" },
      { name: "geo.geoLoc" },
      { name: "device.type" },
      { name: "properties.category" },
      { name: "contact.color" },
      { name: "contact.lists.vip" },
    ];
    expect(await cellsOf("contactactivityexport", { timeframe, columnHeaders })).toBe(
      [
        '"Id","geo.city","geo.geoLoc","device.type","properties.category","contact.color","contact.lists.vip"',
        '"r:1:0","Bonn","{""lat"":50.7,""lon"":7.5}","phone","Shoes","red",1',
        '"r:2:0",,,,"Shoes","blue",0',
        "",
      ].join("\r\n"),
    );
  });

  test("of activities in csv has the whole properties, and columns of them when all are asked for", async () => {
    const header = async (body: object) =>
      (await cellsOf("contactactivityexport", { timeframe, ...body })).split("\r\n")[0];
    const defaults = '"id","action","cID","email","time","receivedAt","mcID","bmID","UID","properties"';
    expect(await header({})).toBe(defaults);
    expect(await header({ showAllProperties: false })).toBe(defaults);
    expect(await header({ showAllProperties: true })).toBe(`${defaults},"properties.category","properties.index"`);
    const lines = await cellsOf("contactactivityexport", { timeframe, exportType: "jsonl", showAllProperties: false });
    expect(lines).not.toContain("properties");
  });
});

test("a repeat under an Idempotency-Key gets the first answer though its audience is gone", async () => {
  const { service, key } = world;
  await world.post("audiences", { key: "brief", name: "Brief", criteria: vip });
  const body = { fields, "audience-key": "brief" };
  const headers = { "idempotency-key": "an export" };
  const send = () => service.call(key, "/v2/contactexports", { method: "POST", body, headers });
  const first = await send();
  expect((await service.call(key, "/v2/audiences/brief", { method: "DELETE" })).status).toBe(200);
  expect((await world.post("contactexports", body)).status).toBe(422);
  const again = await send();
  expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
});
