import { startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { createTestCommand, page } from "../testCommand.ts";

const startTestCommand = async (...input: Parameters<typeof startStubApi>) =>
  createTestCommand(await startStubApi(...input));

describe("events tail", () => {
  test("shows each event once, also one that comes late, until its time is over", async () => {
    const event = (id: string, time: string) => ({ id, time, action: "browse" });
    const first = event("a", "2026-01-09T22:00:40.000Z");
    const late = event("b", "2026-01-09T22:00:20.000Z");
    await using command = await startTestCommand((_came, count) => page(count === 1 ? [first] : [late, first]));
    const { out, code } = await command.run([
      ...["events", "tail", "--since", "2026-01-09T22:00:00Z", "--interval", "0.02", "--for", "3"],
      ...["-o", "ndjson", "--fields", "id"],
    ]);
    expect([code, out]).toEqual([0, '{"id":"a"}\n{"id":"b"}\n']);
    const starts = command.api.came.map(({ path }) => new URL(path, "http://x").searchParams.get("time[gte]"));
    expect(starts.slice(0, 2)).toEqual(["2026-01-09T22:00:00Z", "2026-01-09T22:00:10.000Z"]);
  });

  test("ends well when it is interrupted, and its JSON is whole", async () => {
    const interrupted = new AbortController();
    await using command = await startTestCommand(() => {
      interrupted.abort();
      return page([{ id: "a", time: "2026-01-09T22:00:40.000Z", action: "browse" }]);
    });
    const args = ["events", "tail", "--since", "2026-01-09T22:00:00Z", "--interval", "86400", "--json"];
    const { out, code } = await command.run(args, { interruption: interrupted.signal });
    expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ id: "a" })]]);
  });
});
