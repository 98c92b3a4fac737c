import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

test("transports check shows every check, and exits 1 unless all is well", async () => {
  const check = (ok: boolean) => ({ name: "spf", ok, message: "example.com has an SPF record." });
  for (const ok of [true, false]) {
    await using command = createTestCommand(
      await startStubApi(() => ({ status: 200, body: { ok, checks: [check(ok)] } })),
    );
    const { code, out } = await command.run(["transports", "check", "t1"]);
    expect([code, out.includes("example.com has an SPF record.")]).toEqual([ok ? 0 : 1, true]);
    expect(command.api.came).toMatchObject([{ method: "PUT", path: "/v2/transports/t1/check" }]);
    const json = await command.run(["transports", "check", "t1", "--json"]);
    expect([json.code, JSON.parse(json.out)]).toEqual([ok ? 0 : 1, { ok, checks: [check(ok)] }]);
  }
});
