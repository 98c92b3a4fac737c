import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

const DAY_MS = 86_400_000;
const metadata = { files: [{ name: "a.csv", url: "/v2/files/f?signature=s" }], watermark: { token: "mark" } };
const done = { id: "j", status: "Done", metadata };

async function commandBefore(job: object) {
  const api = await startStubApi(({ method, path }) => {
    if (method === "POST") return { status: 202, body: { jobId: "j" } };
    return { status: 200, body: path.startsWith("/v2/files/") ? { cID: "c" } : job };
  });
  return createTestCommand(api);
}

const EXPORTS = [
  ["contacts"],
  ["events", "--since", "t"],
  ["orders"],
  ["messages"],
  ["log"],
  ["audiences"],
  ["profile", "a@b.c"],
];

describe.each(EXPORTS)("export %s", (...args) => {
  test("--json prints the job, with the links of its files, and leaves the form of the data alone", async () => {
    await using command = await commandBefore(done);
    const { code, out, said } = await command.run(["export", ...args, "--json"]);
    expect([code, JSON.parse(out)]).toEqual([0, done]);
    expect(said).toContain("--out");
    expect(command.api.came.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("--json with --out writes the data to the file and prints the job", async () => {
    await using command = await commandBefore(done);
    const folder = await mkdtemp(join(tmpdir(), "headwater-export-"));
    try {
      const file = join(folder, "data");
      const { out } = await command.run(["export", ...args, "-o", "ndjson", "--out", file, "--fields", "id,status"]);
      expect([JSON.parse(out), await readFile(file, "utf8")]).toEqual([{ id: "j", status: "Done" }, '{"cID":"c"}']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("--out that cannot be written is refused before a job is started", async () => {
    await using command = await commandBefore(done);
    for (const out of [join(command.home, "none", "data"), command.home]) {
      const ran = await command.run(["export", ...args, "--out", out]);
      expect(ran).toMatchObject({ code: 2, out: "", said: expect.stringContaining(`${out} cannot be written`) });
    }
    expect(command.api.came).toEqual([]);
  });

  test("--destination sends the storage and downloads nothing", async () => {
    await using command = await commandBefore(done);
    const ran = await command.run(["export", ...args, "--destination", "s3://exports/{yyyy}", "--saved-key", "lake"]);
    expect(ran).toMatchObject({ code: 0, out: "", said: expect.stringContaining("Written: a.csv") });
    const destination = { type: "s3", aws_bucket: "exports", aws_path: "{yyyy}", savedKey: "lake" };
    expect(JSON.parse(command.api.came[0]?.body ?? "").destination).toEqual(destination);
    expect(command.api.came.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("sends the Idempotency-Key that was typed", async () => {
    await using command = await commandBefore(done);
    await command.run(["export", ...args, "--idempotency-key", "mine", "--json"]);
    expect(command.api.came[0]?.headers["idempotency-key"]).toBe("mine");
  });

  test("says why the job failed, prints it with --json, and ends with 7", async () => {
    const error = { code: "STORAGE_CONNECTION_ERROR", message: "The storage refuses." };
    await using command = await commandBefore({ id: "j", status: "Failed", metadata: { error } });
    const plain = await command.run(["export", ...args]);
    expect([plain.code, plain.out]).toEqual([7, ""]);
    expect(plain.said).toContain("STORAGE_CONNECTION_ERROR: The storage refuses.");
    const view = await command.run(["export", ...args, "--json"]);
    expect([view.code, JSON.parse(view.out).status]).toEqual([7, "Failed"]);
  });
});

test.each(["log", "messages"])("export %s without moments is of the last 90 days", async (what) => {
  await using command = await commandBefore(done);
  const sent = async (args: readonly string[]) => {
    const { out } = await command.run(["export", what, "--dry-run", ...args]);
    return out;
  };
  const { code } = await command.run(["export", what]);
  const { start, end } = JSON.parse(command.api.came[0]?.body ?? "").timeframe;
  expect([code, Date.parse(end) - Date.parse(start)]).toEqual([0, 90 * DAY_MS]);
  expect(await sent(["--from", "2026-01-01"])).toContain("2026-01-01");
});

test("an export of audiences completes the timeframe and the form, and a file's own go first", async () => {
  await using command = await commandBefore(done);
  const sent = async (args: readonly string[], input = "") => {
    const { out } = await command.run(["export", "audiences", ...args, "--dry-run", "--json"], { input });
    return JSON.parse(out).body;
  };
  expect(await sent([])).toEqual({ exportType: "csv" });
  const from = await sent(["vip", "--from", "2026-01-01"]);
  expect(Date.parse(from.timeframe.end)).toBeLessThanOrEqual(Date.now());
  expect(from).toEqual({
    audiences: ["vip"],
    exportType: "csv",
    timeframe: { ...from.timeframe, start: "2026-01-01" },
  });
  const to = { start: "2026-01-01T00:00:00.000Z", end: "2026-04-01" };
  expect((await sent(["--to", to.end])).timeframe).toEqual(to);
  const file = JSON.stringify({ exportType: "jsonl", timeframe: to, audiences: ["a"] });
  expect(await sent(["-f", "-"], file)).toEqual(JSON.parse(file));
  const changed = { ...JSON.parse(file), exportType: "txt", timeframe: { ...to, start: "2026-02-01" } };
  expect(await sent(["-f", "-", "--form", "txt", "--from", "2026-02-01"], file)).toEqual(changed);
});

test("a run since the last one that fetches no file leaves the next one where it began", async () => {
  await using command = await commandBefore(done);
  const since = () => JSON.parse(command.api.came.findLast(({ method }) => method === "POST")?.body ?? "").since;
  const run = (...args: string[]) => command.run(["export", "events", "--since", "last", ...args]);
  await run("--json");
  await run("--json");
  expect(since()).toBeUndefined();
  await run();
  await run("--json");
  expect(since()).toBe("mark");
});
