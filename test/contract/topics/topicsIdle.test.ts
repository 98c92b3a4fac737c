import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { useServices } from "@headwater/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const brokers = useServices().kafkaBrokers.split(",");
const WAIT_MS = 60_000;

/** Counts the timers a second of idleness arms, and the warnings of Node, in a process of its own. */
async function idleTimers(connect: string): Promise<{ timers: number; warnings: string[] }> {
  const script = `
    let timers = 0; const warnings = [];
    process.on("warning", ({ name }) => warnings.push(name));
    const { setTimeout: arm } = globalThis;
    ${connect}
    globalThis.setTimeout = (callback, delay, ...rest) => { if (!(delay > 1)) timers += 1; return arm(callback, delay, ...rest); };
    await new Promise((resolve) => arm(resolve, 1_000));
    console.log(JSON.stringify({ timers, warnings }));
    process.exit(0);`;
  const args = ["--no-warnings", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: WAIT_MS });
  return z.object({ timers: z.number(), warnings: z.array(z.string()) }).parse(JSON.parse(stdout));
}

test("the trap: an idle connection of kafkajs wakes the process again and again; one of ours does not", async () => {
  const list = JSON.stringify(brokers);
  const bare = await idleTimers(`
    const { Kafka } = await import("kafkajs");
    const admin = new Kafka({ brokers: ${list}, logLevel: 0 }).admin();
    await admin.connect(); await admin.listTopics();`);
  const ours = await idleTimers(`
    const { createTopicAdmin } = await import("@headwater/topics");
    const { createLogger } = await import("@headwater/kernel");
    const admin = createTopicAdmin({ brokers: ${list}, clientId: "test", logger: createLogger({ name: "t", level: "silent" }) });
    await admin.watermarks("test.nobody");`);
  expect(bare.timers).toBeGreaterThan(100);
  expect(bare.warnings).toContain("TimeoutNegativeWarning");
  expect(ours).toEqual({ timers: 0, warnings: [] });
});
