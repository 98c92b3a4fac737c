import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

const startTestCommand = async (...provided: Parameters<typeof startStubApi>) =>
  createTestCommand(await startStubApi(...provided));

const data = [
  { id: "remind", label: 'Say "hi"', type: "message", templateKey: "hi", next: [{ id: "wait" }] },
  {
    id: "wait",
    label: "wait",
    type: "wait",
    next: [
      { id: "remind", label: "0" },
      { id: "gone", label: "timeout" },
    ],
  },
];

test("orchestrations actions shows nodes with their edges, or draws them for Mermaid", async () => {
  await using command = await startTestCommand(() => ({ status: 200, body: { version: 1, data } }));
  const table = await command.run(["orchestrations", "actions", "o1", "--of", "draft"]);
  expect(table.out).toMatch(/remind +message +Say "hi" +hi +wait/);
  expect(table.out).toMatch(/0: remind, timeout: gone/);
  const { out } = await command.run(["orchestrations", "actions", "o1", "--mermaid"]);
  expect(out.split("\n")).toEqual([
    "flowchart TD",
    '  n0["Say #34;hi#34; (remind)<br/>message"]',
    "  n0 --> n1",
    '  n1["wait<br/>wait"]',
    '  n1 -->|"0"| n0',
    "",
  ]);
  expect(command.api.came.map(({ path }) => path)).toEqual([
    "/v2/orchestrations/o1/actions?version=draft",
    "/v2/orchestrations/o1/actions",
  ]);
});

test("orchestrations update publishes, enables and migrates; delete asks first", async () => {
  await using command = await startTestCommand(() => ({ status: 200, body: { success: true, orchestrationID: "o1" } }));
  const update = ["orchestrations", "update", "o1"];
  await command.run([...update, "--publish", "--status", "enabled", "--set", "migrate.wait=pause"]);
  await command.run([...update, "--status", "disabled"]);
  await command.run(["orchestrations", "create", "--name", "New", "--tags", "a, b"]);
  expect((await command.run([...update, "--status", "on"])).code).toBe(2);
  expect((await command.run(["orchestrations", "delete", "o1"])).code).toBe(2);
  expect(command.api.came.map(({ body }) => JSON.parse(body))).toEqual([
    { publish: true, status: true, migrate: { wait: "pause" } },
    { status: false },
    { name: "New", tags: ["a", "b"] },
  ]);
});

test("orchestrations simulate sends what was typed as numbers, and trigger names one contact", async () => {
  await using command = await startTestCommand(() => ({ status: 202, body: { jobId: "j1" } }));
  await command.run([
    "orchestrations",
    "simulate",
    "o1",
    "--of",
    "2",
    "--sample",
    "10",
    "--seed",
    "7",
    "--from",
    "2026-01-01",
  ]);
  await command.run(["orchestrations", "simulate", "o1", "--of", "draft"]);
  await command.run(["orchestrations", "trigger", "o1", "--email", "ada@x.org", "--set", "extVars.coupon=A", "--yes"]);
  expect(command.api.came.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    ["/v2/orchestrations/o1/simulate", { version: 2, samplePercent: 10, seed: 7, from: "2026-01-01" }],
    ["/v2/orchestrations/o1/simulate", { version: "draft" }],
    ["/v2/orchestrations/o1/trigger", { contact: { email: "ada@x.org" }, extVars: { coupon: "A" } }],
  ]);
});
