import { insertLogEntry, type NewLogEntry } from "@headwater/api/accountLog/accountLog";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

const AT = Date.UTC(2026, 0, 9, 22, 47, 12);
const timeframe = { start: "2026-01-09T22:00:00Z", end: "2026-01-09T23:00:00Z" };
const entry = { category: "API", level: "Info", action: "createContact", message: "Creates a contact." } as const;
const noted: readonly Omit<NewLogEntry, "account">[] = [
  { ...entry, at: AT, actor: "k1", actorName: "shop", ip: "192.0.2.1", requestId: "r1", target: "c1", status: "201" },
  { ...entry, at: AT + 1, category: "Inbound", level: "Debug", action: "acceptedCalls", details: { calls: 3 } },
  { ...entry, at: AT + 2, level: "Warning", action: "refusedCalls", status: "422", details: { code: "X", calls: 1 } },
  { ...entry, at: AT + 3, category: "Jobs", level: "Error", action: "ClearList", jobId: "j1", status: "Failed" },
  { ...entry, at: Date.parse(timeframe.end), action: "tooLate" },
  { ...entry, at: Date.parse(timeframe.start) - 1, action: "tooEarly" },
];

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  const { postgres } = world.service;
  const { account: other } = await world.service.account();
  for (const one of noted) await insertLogEntry(postgres, { ...one, account: world.account.number });
  await insertLogEntry(postgres, { ...entry, at: AT, account: other.number, action: "theirs" });
});
afterAll(() => world.drop());

async function lines(body: object) {
  const done = await world.run("accountmonitorexport", { timeframe, exportType: "jsonl", ...body });
  expect(done).toMatchObject({ jobName: "ExportClientsLogs", status: "Done" });
  const text = (await world.bytes(done.metadata.files[0])).toString().trimEnd();
  return text === "" ? [] : text.split("\n").map((line): Record<string, unknown> => JSON.parse(line));
}
const actions = async (body: object) => (await lines(body)).map(({ action }) => action);

describe("an export of the account's log", () => {
  test("has the entries of the timeframe in order of their time, and none of another account", async () => {
    const rows = await lines({});
    expect(rows).toMatchObject([
      {
        at: "2026-01-09T22:47:12.000Z",
        category: "API",
        level: "Info",
        action: "createContact",
        message: "Creates a contact.",
        actor: "k1",
        actorName: "shop",
        ip: "192.0.2.1",
        requestId: "r1",
        jobId: null,
        target: "c1",
        status: "201",
        details: null,
      },
      { level: "Debug", category: "Inbound", action: "acceptedCalls", details: { calls: 3 } },
      { level: "Warning", action: "refusedCalls" },
      { level: "Error", action: "ClearList", jobId: "j1" },
    ]);
    expect(Object.keys(rows[0] ?? {})[0]).toBe("id");
  });

  test("takes a level with all graver ones, and a category", async () => {
    expect(await actions({ selected_level: "Info" })).toEqual(["createContact", "refusedCalls", "ClearList"]);
    expect(await actions({ selected_level: "Warning" })).toEqual(["refusedCalls", "ClearList"]);
    expect(await actions({ selected_level: "Error", selected_category: "API" })).toEqual([]);
    expect(await actions({ selected_category: "inbound" })).toEqual(["acceptedCalls"]);
    expect(await actions({ selected_category: "API", selected_level: "Warning" })).toEqual(["refusedCalls"]);
  });

  test("picks and renames columns in csv", async () => {
    const columnHeaders = [{ name: "level", label: "how bad" }, { name: "at" }];
    const done = await world.run("accountmonitorexport", { timeframe, columnHeaders, selected_level: "Error" });
    const text = (await world.bytes(done.metadata.files[0])).toString();
    expect(text).toBe('"how bad","at"\r\n"Error",2026-01-09T22:47:12.003Z\r\n');
  });

  test("has its own start and end in the log", async () => {
    const now = { start: "2026-01-10", end: "2200-01-01" };
    const { id } = await world.run("accountmonitorexport", { timeframe });
    const own = (await lines({ timeframe: now, selected_category: "Exports" })).filter(({ jobId }) => jobId === id);
    expect(own.map(({ status, level }) => [status, level])).toEqual([
      ["Pending", "Info"],
      ["Done", "Info"],
    ]);
  });

  test("is refused with all that is wrong, and nothing is started", async () => {
    const wrong = {
      selected_level: "Loud",
      selected_category: 7,
      selectedLevel: "Info",
      columnHeaders: [{ name: "ids" }],
    };
    const { status, body } = await world.post("accountmonitorexport", wrong);
    expect([status, body.code]).toEqual([422, "EXPORT_CONFIGURATION_ERROR"]);
    const found = body.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort();
    expect(found).toEqual([
      "/columnHeaders/0/name unknown_field",
      "/selectedLevel unknown_field",
      "/selected_category bad_value",
      "/selected_level bad_value",
      "/timeframe required",
    ]);
    expect(body.details.find(({ path }: { path: string }) => path === "/selected_level").allowed).toContain("Warning");
    for (const [input, path] of [
      [{ timeframe: {} }, "/timeframe/start"],
      [{ timeframe: { start: "2026-01-01" } }, "/timeframe/end"],
      [{ timeframe: { start: "soon", end: "2026-01-01" } }, "/timeframe/start"],
      [{ timeframe: { start: "2026-01-02", end: "2026-01-01" } }, "/timeframe/end"],
      [{ timeframe: 5 }, "/timeframe"],
      [{ timeframe, selected_level: ["Info"] }, "/selected_level"],
      [{ timeframe, since: "x" }, "/since"],
    ] as const) {
      const refused = await world.post("accountmonitorexport", input);
      expect([refused.status, refused.body.details?.[0]?.path]).toEqual([422, path]);
    }
    const narrow = await world.service.key(world.account, { scopes: ["contactexports:read"] });
    const call = { method: "POST", body: { timeframe } } as const;
    expect((await world.service.call(narrow, "/v2/accountmonitorexport", call)).status).toBe(403);
    expect((await world.service.call(undefined, "/v2/accountmonitorexport", call)).status).toBe(401);
  });
});
