import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

const job = { id: "j1", status: "Done", result: { rejected: 0 } };

test("an import reads standard input, uploads what came, and follows the job", async () => {
  const answers = (came: { path: string }) => {
    if (came.path.startsWith("/v2/uploads")) return { status: 201, body: { url: "upload:u1" } };
    return came.path.startsWith("/v2/jobs") ? { status: 200, body: job } : { status: 202, body: { jobId: "j1" } };
  };
  await using command = createTestCommand(await startStubApi(answers));
  const ran = await command.run(["import", "contacts", "-f", "-"], { input: "email\na@x.org\n" });
  expect([ran.code, ran.said.split("\n")[0]]).toEqual([0, "Uploading 14 bytes."]);
  const [upload, started] = command.api.came;
  expect(upload).toMatchObject({ method: "POST", path: "/v2/uploads?name=stdin" });
  expect(upload?.body).toBe("email\na@x.org\n");
  expect(JSON.parse(started?.body ?? "")).toEqual({
    source: { transport: "file", path: "upload:u1" },
    hasHeader: true,
  });
});
