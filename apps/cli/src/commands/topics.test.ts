import type { TopicAdmin, TopicStep } from "@headwater/topics";
import { expect, test } from "vitest";
import { createMemoryTerminal } from "../memoryTerminal.ts";
import { runCommand } from "../runCommand.ts";

const steps: TopicStep[] = [
  { topic: "intake.records", kind: "same" },
  { topic: "deadletters", kind: "refused", reason: "it has more partitions than the catalogue" },
];

/** Runs a command before a cluster with this plan. */
async function run(args: readonly string[], plan: readonly TopicStep[]) {
  const { terminal, out } = createMemoryTerminal();
  const refuse = () => Promise.reject(new Error("no store is to be reached"));
  const cluster = { plan: async () => plan, apply: async () => plan } as unknown as TopicAdmin;
  const connect = () => ({
    withPostgres: refuse,
    withTopics: <Result>(work: (topics: TopicAdmin) => Promise<Result>) => work(cluster),
    withLog: refuse,
    withClickHouse: refuse,
    pingClickHouse: refuse,
  });
  const code = await runCommand({ args: [...args, "--json"], env: { HEADWATER_HOME: "/nowhere" }, terminal, connect });
  return { code, steps: JSON.parse(out()).map(({ step }: { step: string }) => step) };
}

test("plan exits 0 whatever it finds; with --check, and after apply, what differs is exit 1", async () => {
  expect(await run(["topics", "plan"], steps)).toEqual({ code: 0, steps: ["same", "refused"] });
  expect((await run(["topics", "plan", "--check"], steps)).code).toBe(1);
  expect((await run(["topics", "apply"], steps)).code).toBe(1);
  expect((await run(["topics", "plan", "--check"], steps.slice(0, 1))).code).toBe(0);
});
