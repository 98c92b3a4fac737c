import { MESSAGE_STATS } from "@headwater/criteria";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knownCampaign } from "../../messaging/messages/knownCampaign.ts";
import { loadCampaign } from "../../messaging/messages/loadCampaign.ts";
import { type ExportWorld, haveRead, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  await loadCampaign(world.service.clickHouse, world.account.number, knownCampaign);
  await haveRead(world, 1);
  const criteria = { and: [] };
  for (const [key, name] of [["vip", "Very important"]]) {
    expect((await world.post("audiences", { key, name, criteria })).status).toBe(201);
  }
});
afterAll(() => world.drop());

const timeframe = { start: "2026-03-01", end: "2026-04-30" };
const run = async (body: object) => {
  const job = await world.run("messageanalyticsexport", { timeframe, exportType: "jsonl", ...body });
  expect(job).toMatchObject({ jobName: "ExportMessageAnalytics", status: "Done" });
  return job;
};
const rows = async (body: object) => (await run(body)).metadata.data;
const ids = async (body: object) =>
  (await rows(body)).map((row: { message_id: string; sent: number }) => [row.message_id, row.sent]);

const batch = {
  ...{ sent: 4, delivered: 3, bounce_hard: 0, bounce_soft: 1, bounce_total: 1, opens: 2, opens_unique: 1 },
  ...{ opens_machine: 1, clicks: 1, clicks_unique: 1, clicks_machine: 0, opt_outs: 0, complaints: 0, orders: 4 },
  ...{ revenue: 9, delivered_rate: 0.75, bounce_rate: 0.25, open_rate: 0.3333, click_through_rate: 0.3333 },
  ...{ click_to_open_rate: 1, opt_out_rate: 0, complaint_rate: 0 },
};

describe("an export of message numbers", () => {
  test("has a row a message, newest first, with its facts, stats and rates; then all together", async () => {
    const job = await run({ includeTotalsRow: true });
    expect(job).toMatchObject({ totalItems: 3, completedItems: 3 });
    const [daily, first, total] = job.metadata.data;
    // The account's currency is USD: orders in another count, and add no revenue.
    expect(first).toEqual({
      ...{ message_id: "b1", message_key: "sale", message_name: null, subject: "Sale!", channel: "email" },
      ...{ channel_type: "email", classification: null, message_type: "batch", tags: ["spring"] },
      ...{ orchestration_id: null, orchestration_name: null, audience_keys: null, ...batch },
    });
    expect(daily).toMatchObject({ message_id: "d1", message_type: "automation", sent: 2, opens: 2, opens_unique: 1 });
    expect(total).toMatchObject({
      message_id: "",
      message_key: null,
      message_type: null,
      tags: null,
      sent: 6,
      opens: 4,
    });
    for (const stat of MESSAGE_STATS) expect([stat, total[stat]]).toEqual([stat, first[stat] + daily[stat]]);
    expect([total.open_rate, total.delivered_rate]).toEqual([0.4, 0.8333]);
  });

  test("has a row a day of automated messages, a row a type, or one row, as is asked", async () => {
    expect(await ids({ rollupAutomations: false })).toEqual([
      ["d1:d260330", 1],
      ["d1:d260329", 1],
      ["b1", 4],
    ]);
    const types = await rows({ viewMode: "by_message_type", includeTotalsRow: true });
    expect(types.map(({ message_type, sent }: Record<string, unknown>) => [message_type, sent])).toEqual([
      ["automation", 2],
      ["batch", 4],
      [null, 6],
    ]);
    const all = await rows({ viewMode: "as_total", includeTotalsRow: true });
    expect(all).toEqual([expect.objectContaining({ message_id: "", ...{ sent: 6, opens_unique: 2, orders: 4 } })]);
  });

  test("is of the messages that pass every filter", async () => {
    expect(await ids({ type: "batch" })).toEqual([["b1", 4]]);
    expect(await ids({ selected_channel: "sms" })).toEqual([["d1", 2]]);
    expect(await ids({ selected_message_tags: ["spring", "none"] })).toHaveLength(2);
    const both = { selected_message_tags: ["spring", "none"], selected_message_tags_operator: "all" };
    expect(await ids(both)).toEqual([]);
    expect(await ids({ selected_orchestration_id: "o1" })).toEqual([]);
    expect(await ids({ selected_audience_names: ["Very important"] })).toEqual([]);
    expect(await ids({ selected_audience_ids: "vip" })).toEqual([]);
  });

  test("counts events of the timeframe where that is its basis", async () => {
    const later = { start: "2026-04-01", end: "2026-05-01" };
    expect(await ids({ timeframe: later })).toEqual([]);
    const [row, ...others] = await rows({ timeframe: later, timeframeBasis: "event" });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ message_id: "b1", sent: 0, clicks: 1, orders: 4, delivered_rate: null });
  });

  test("writes the columns that are picked, called as is wanted, and zeros where nothing was reported", async () => {
    const columnHeaders = [{ name: "message_id", label: "Message" }, { name: "open_rate" }, { name: "revenue" }];
    const { files } = (await run({ columnHeaders, exportType: "csv" })).metadata;
    const text = (await world.bytes(files[0])).toString();
    expect(text).toBe('"Message","open_rate","revenue"\r\n"d1",0.5,0\r\n"b1",0.3333,9\r\n');
    const empty = { start: "2020-01-01", end: "2020-02-01" };
    expect(await rows({ timeframe: empty })).toEqual([]);
    expect(await rows({ timeframe: empty, includeTotalsRow: true })).toEqual([
      expect.objectContaining({ message_id: "", sent: 0, revenue: 0, open_rate: null }),
    ]);
  });

  test.each<[string, object, string[]]>([
    ["no timeframe", { timeframe: undefined }, ["/timeframe required"]],
    ["a misspelled filter", { selected_chanel: "email" }, ["/selected_chanel unknown_field"]],
    ["a channel that nobody has", { selected_channel: "fax" }, ["/selected_channel unknown_reference"]],
    ["an unknown type", { type: "sms" }, ["/type bad_value"]],
    ["an unknown view", { viewMode: "by_day" }, ["/viewMode bad_value"]],
    ["an unknown basis", { timeframeBasis: "open" }, ["/timeframeBasis bad_value"]],
    ["an unknown operator", { selected_message_tags_operator: "none" }, ["/selected_message_tags_operator bad_value"]],
    ["tags that are no texts", { selected_message_tags: ["a", 5] }, ["/selected_message_tags/1 type_mismatch"]],
    ["a flag that is none", { rollupAutomations: "yes" }, ["/rollupAutomations type_mismatch"]],
    [
      "an orchestration by id and by name",
      { selected_orchestration_id: "a", selected_orchestration_name: "b" },
      ["/selected_orchestration_name not_allowed"],
    ],
    ["an unknown audience", { selected_audience_ids: ["vipp"] }, ["/selected_audience_ids/0 unknown_reference"]],
    ["an unknown column", { columnHeaders: [{ name: "opened" }] }, ["/columnHeaders/0/name unknown_field"]],
    ["a watermark", { since: "x" }, ["/since unknown_field"]],
  ])("with %s is refused, and nothing is started", async (_, body, details) => {
    const { status, body: refused } = await world.post("messageanalyticsexport", { timeframe, ...body });
    expect([status, refused.code]).toEqual([422, "EXPORT_CONFIGURATION_ERROR"]);
    expect(refused.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual(details);
  });
});
