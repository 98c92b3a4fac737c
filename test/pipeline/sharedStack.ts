import { test as plain } from "vitest";
import { startStack } from "./stack.ts";

/** Its processes are as they are by default. */
const NO_VARIABLES: Readonly<Record<string, string>> = {};

/**
 * Tests on one stack for all files that neither kill nor configure a process: it is started for the first of them, and stopped when
 * the worker ends, which runs them all. Accounts are a file's own. A test fails when a process broke down meanwhile.
 */
export const test = plain
  .extend("environment", { scope: "worker" }, NO_VARIABLES)
  .extend("stack", { scope: "worker" }, async ({ environment }, { onCleanup }) => {
    const stack = await startStack(environment);
    onCleanup(() => stack.stop());
    return stack;
  })
  .extend("unbroken", { auto: true }, ({ stack }, { onCleanup }) => {
    onCleanup(() => stack.checkUnbroken());
    return true;
  });
