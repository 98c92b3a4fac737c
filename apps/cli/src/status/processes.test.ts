import { expect, test } from "vitest";
import { isHealthy } from "./parts.ts";
import { toProcessStatus } from "./processes.ts";

const ALL_PARTS = ["state", "activities", "history", "products", "accounting", "relay", "redriver"];
const process = (name: string, silentSeconds: number, more: object = {}) => ({
  ...{ id: `${name} ${silentSeconds}`, name, host: "a", pid: 7, parts: [], checks: {}, silentSeconds },
  ...more,
});

test("a process is ok while one of its name reports, and a killed one is named for ten minutes", () => {
  const known = [process("sender", 2), process("sender", 40), process("sender", 4_000), process("worker", 900)];
  expect(toProcessStatus("sender", known)).toEqual({
    part: "process sender",
    state: "ok",
    detail: "1 running; a/7 has been silent for 40 s",
  });
});

test("a process that never reported is missing, one that stopped reporting is stuck, and both fail", () => {
  const known = [process("sender", 60)];
  const [missing, stuck] = [toProcessStatus("worker", known), toProcessStatus("sender", known)];
  expect(missing).toMatchObject({ state: "missing" });
  expect(stuck).toMatchObject({ state: "stuck", detail: "a/7 has been silent for 60 s" });
  expect([isHealthy(missing), isHealthy(stuck)]).toEqual([false, false]);
});

test("every part of a projector runs somewhere, or is missing", () => {
  const [relay, ...groups] = ALL_PARTS.toReversed();
  const some = process("projector", 1, { parts: groups });
  expect(toProcessStatus("projector", [some])).toMatchObject({ state: "missing", detail: "none runs redriver" });
  const other = process("projector", 1, { parts: [relay] });
  expect(toProcessStatus("projector", [some, other])).toMatchObject({ state: "ok", detail: "2 running" });
});

test("checks that fail and parts that do not go on are named with the process", () => {
  const away = process("worker", 1, { checks: { postgres: { ok: false, isDegraded: true, detail: "unavailable" } } });
  expect(toProcessStatus("worker", [away])).toMatchObject({ state: "away", detail: "a/7: postgres unavailable" });
  const held = process("worker", 1, { checks: { kafka: { ok: true, isDegraded: true, detail: "imports wait" } } });
  const status = toProcessStatus("worker", [held]);
  expect(status).toMatchObject({ state: "degraded", detail: "1 running; a/7: kafka imports wait" });
  expect(isHealthy(status)).toBe(true);
});
