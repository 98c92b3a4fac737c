import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand, page } from "../testCommand.ts";

const startTestCommand = async (...provided: Parameters<typeof startStubApi>) =>
  createTestCommand(await startStubApi(...provided));
const done = () => ({ status: 200, body: { success: true } });

test("templates send names one recipient by an option, several by a file, and asks first", async () => {
  await using command = await startTestCommand(done);
  await command.run(["templates", "send", "order", "--to", "ada@x.org", "--set", "mergeData.number=A-7", "--yes"]);
  await command.run(["templates", "send", "order", "-f", "-", "--yes"], { input: '{"to":[{"email":"b@x.org"}]}' });
  expect((await command.run(["templates", "send", "order", "--to", "ada@x.org"])).code).toBe(2);
  expect(command.api.came.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    ["/v2/automationtemplates/order/send", { to: { email: "ada@x.org" }, mergeData: { number: "A-7" } }],
    ["/v2/automationtemplates/order/send", { to: [{ email: "b@x.org" }] }],
  ]);
});

test("templates senddraft says whom it goes to, and render --draft renders the draft", async () => {
  await using command = await startTestCommand(done);
  expect((await command.run(["templates", "senddraft", "order"])).code).toBe(2);
  await command.run(["templates", "senddraft", "order", "--to", "me@x.org"]);
  await command.run(["templates", "render", "order", "ada@x.org"]);
  await command.run(["templates", "render", "order", "ada@x.org", "--draft"]);
  expect(command.api.came.map(({ path }) => path)).toEqual([
    "/v2/automationtemplates/order/senddraft",
    "/v2/automationtemplates/order/renderpublished/ada%40x.org",
    "/v2/automationtemplates/order/renderdraft/ada%40x.org",
  ]);
});

test("suppressions add holds for email unless a channel is named; an unknown reason is wrong usage", async () => {
  await using command = await startTestCommand(() => ({ status: 201, body: { success: true, id: "s" } }));
  await command.run(["suppressions", "add", "--domain", "x.org"]);
  await command.run(["suppressions", "add", "--channel", "sms", "--address", "+4930123", "--reason", "complaint"]);
  expect((await command.run(["suppressions", "add", "--domain", "x.org", "--reason", "bored"])).code).toBe(2);
  expect(command.api.came.map(({ body }) => JSON.parse(body))).toEqual([
    { channel: "email", domain: "x.org" },
    { channel: "sms", address: "+4930123", reason: "complaint" },
  ]);
});

test("sends and suppressions are lists with their filters", async () => {
  await using command = await startTestCommand(() => page([]));
  await command.run(["templates", "sends", "order", "--state", "skipped", "--cid", "c"]);
  await command.run(["suppressions", "ls", "--reason", "manual", "--address", "ada@x.org"]);
  const asked = command.api.came.map(({ path }) => new URL(path, "http://x").searchParams);
  expect(
    asked.map((query) => [query.get("state"), query.get("cID"), query.get("reason"), query.get("address")]),
  ).toEqual([
    ["skipped", "c", null, null],
    [null, null, "manual", "ada@x.org"],
  ]);
});

test("messages report asks for the numbers of a message, or for the members that are named", async () => {
  await using command = await startTestCommand(done);
  await command.run(["messages", "report", "m1", "--json"]);
  await command.run(["messages", "report", "m1", "--fields", "stats.clicks"]);
  const asked = command.api.came.map(({ path }) => new URL(path, "http://x").searchParams.get("fields"));
  expect(asked).toEqual(["id,name,status,reason,sendTime,audienceTotal,delivery,stats,asOf", "stats"]);
});
