import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runEntryPoints } from "./hostile/entryPoints/runEntryPoints.ts";

const { env } = process;
const isLong = env.HEADWATER_FAULTS === "long";
const MINUTE_MS = 60_000;
const TIMEOUT_MS = 4 * 60 * MINUTE_MS;
const SHORT = { aloneMs: 8_000, attackMs: 25_000, callers: 1, niceness: 0 } as const;
const LONG = {
  aloneMs: MINUTE_MS,
  attackMs: Number(env.INPUTS_MINUTES || 120) * MINUTE_MS,
  callers: 3,
  niceness: 10,
} as const;
/** Growth of a process above its rest. In the short form the rest is that of a process which has just started. */
const MEMORY_MIB_MAX = isLong ? 256 : 384;
/** Time of a core in one turn of a loop: a busy machine does not count. */
const TURN_MS_MAX = 250;
const UNAVAILABLE = "503";

/**
 * FAULTS_SEED repeats the inputs; the long form (INPUTS_MINUTES shortens it) also asserts times of the clock: the short one runs next to other suites.
 */
test("no input at or past the bounds of any entry point ends a process, bloats it, or costs a neighbour", {
  timeout: TIMEOUT_MS,
}, async () => {
  const seed = Number(env.FAULTS_SEED || Math.floor(Math.random() * 1_000_000));
  const report = await runEntryPoints({
    ...(isLong ? LONG : SHORT),
    name: "hostile-inputs",
    seed,
    onProgress: (line) => process.stderr.write(`hostile inputs, seed ${seed}: ${line}\n`),
  });
  process.stderr.write(`\n${JSON.stringify(report, undefined, 2)}\n\n`);
  if (env.FAULTS_REPORT) writeFileSync(`${env.FAULTS_REPORT}.inputs`, `${JSON.stringify(report, undefined, 2)}\n`);
  const replay = `replay with FAULTS_SEED=${seed}`;
  expect(report.differences, replay).toEqual([]);
  expect(
    Object.entries(report.restarts).filter(([, count]) => count > 0),
    replay,
  ).toEqual([]);
  for (const [entryPoint, counts] of Object.entries(report.answers)) {
    const statuses = Object.keys(counts);
    expect(statuses.length, `${entryPoint} was never used`).toBeGreaterThan(0);
    const failures = statuses.filter(
      (status) => /^5\d\d$/.test(status) && status !== UNAVAILABLE && !entryPoint.startsWith("incoming mail"),
    );
    expect([entryPoint, failures], replay).toEqual([entryPoint, []]);
    expect(
      statuses.filter((status) => !/^\d+$/.test(status)),
      `${entryPoint}: mistakes of the test; ${replay}`,
    ).toEqual([]);
  }
  const { alone, beside } = report.processes;
  for (const [name, { memoryMib, turnMs }] of Object.entries(beside)) {
    const growth = memoryMib - (alone[name]?.memoryMib ?? 0);
    expect(growth, `${name} grew by ${growth} MiB; ${replay}`).toBeLessThanOrEqual(MEMORY_MIB_MAX);
    expect(turnMs, `${name} held its loop for ${turnMs} ms; ${replay}`).toBeLessThanOrEqual(TURN_MS_MAX);
  }
  expect(report.compared).toBeGreaterThan(0);
  expect(report.honest.beside.intake.calls).toBeGreaterThan(0);
  expect(report.honest.beside.pages.calls).toBeGreaterThan(0);
  if (!isLong) return;
  for (const kind of ["intake", "pages"] as const) {
    const { alone: before, beside: after } = report.honest;
    expect(after[kind].p99Ms, kind).toBeLessThanOrEqual(2 * before[kind].p99Ms);
  }
});
