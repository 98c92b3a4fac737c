import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

test("export log sends its timeframe and filters, and prints the file of its job", async () => {
  const job = { id: "j", status: "Done", metadata: { files: [{ name: "log.jsonl", url: "/v2/files/f?signature=s" }] } };
  const api = await startStubApi(({ method, path }) => {
    if (method === "POST") return { status: 202, body: { jobId: "j" } };
    return { status: 200, body: path.startsWith("/v2/files/") ? { level: "Error" } : job };
  });
  await using command = createTestCommand(api);
  const times = ["--from", "2026-01-01", "--to", "2026-02-01"];
  const { out } = await command.run(["export", "log", ...times, "--level", "Error", "--category", "Jobs"]);
  expect(out).toBe('{"level":"Error"}');
  const [sent] = command.api.came;
  expect([sent?.path, JSON.parse(sent?.body ?? "")]).toEqual([
    "/v2/accountmonitorexport",
    {
      timeframe: { start: "2026-01-01", end: "2026-02-01" },
      exportType: "jsonl",
      selected_level: "Error",
      selected_category: "Jobs",
    },
  ]);
  expect((await command.run(["export", "log", ...times, "--level", "Loud"])).code).toBe(2);
  expect(command.api.came).toHaveLength(3);
});
