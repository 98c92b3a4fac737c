import { setTimeout as pause } from "node:timers/promises";
import { type AskHost, serveTasks } from "./serveTasks.ts";

const MIB = 1024 * 1024;

/** Tasks of tests: each of them does what hostile content made a library do. */
const testTasks = {
  add: ({ one, other }: { readonly one: number; readonly other: number }) => one + other,
  fail: (message: string): never => {
    throw new Error(message);
  },
  loop: (_: null): never => {
    for (;;);
  },
  /** Takes time on the clock and none of the processor. */
  pause: (ms: number) => pause(ms),
  /** One allocation of so many bytes, written to. */
  allocate: (bytes: number) => Buffer.alloc(bytes, 1).length,
  /** Grows without end outside of the heap of JavaScript. */
  grow: async (chunkMib: number): Promise<never> => {
    const held: Buffer[] = [];
    for (;;) {
      held.push(Buffer.alloc(chunkMib * MIB, 1));
      await pause(1);
    }
  },
  growHeap: (_: null): never => {
    const held: object[] = [];
    for (;;) held.push({ at: held.length, text: `${held.length}` });
  },
  crash: (_: null): never => process.abort(),
  exit: (code: number): never => process.exit(code),
  large: (bytes: number) => "x".repeat(bytes),
  /** Adds what the host answers, until it answers null. */
  sum: async (_: null, ask: AskHost) => {
    let sum = 0;
    for (let next = await ask("next", sum); typeof next === "number"; next = await ask("next", sum)) sum += next;
    return sum;
  },
  /** Loops while its host owes it an answer. */
  loopMeanwhile: (_: null, ask: AskHost): never => {
    void ask("next", 0);
    for (;;);
  },
  /** Asks for two things at once and needs both. */
  askBoth: (_: null, ask: AskHost) => Promise.all([ask("slow", null), ask("fast", null)]),
  /** Ends while its host owes it an answer. */
  leaveQuestion: (_: null, ask: AskHost) => {
    void ask("slow", null);
    return process.pid;
  },
  pid: (_: null) => process.pid,
  environment: (_: null) => ({ variables: Object.keys(process.env), cwd: process.cwd() }),
  write: async (path: string) => (await import("node:fs/promises")).writeFile(path, "x"),
  connect: async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).status,
};

export type TestTasks = typeof testTasks;

await serveTasks(testTasks);
