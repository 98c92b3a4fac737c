import { test as plain } from "vitest";
import { startCollector } from "./collector.ts";
import { startStack } from "./stack.ts";

/** A claim of a sink is over soon, and only a request whose caller samples it is traced. */
const VARIABLES = {
  HEADWATER_SINK_SETTLE_SECONDS: "1",
  OTEL_TRACES_SAMPLER_ARG: "0",
  OTEL_BSP_SCHEDULE_DELAY: "200",
};

/**
 * Tests on one stack for all files: it is started for the first of them, and stopped when the worker ends, which runs them all, one
 * after another. Accounts are a file's own. A file that kills a process waits for what it does afterwards. A test fails when a
 * process broke down meanwhile.
 */
export const test = plain
  .extend("collector", { scope: "worker" }, () => startCollector())
  .extend("stack", { scope: "worker" }, async ({ collector }, { onCleanup }) => {
    const stack = await startStack({ ...VARIABLES, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    onCleanup(async () => {
      await stack.stop();
      collector.stop();
    });
    return stack;
  })
  .extend("unbroken", { auto: true }, ({ stack }, { onCleanup }) => {
    onCleanup(() => stack.checkUnbroken());
    return true;
  });
