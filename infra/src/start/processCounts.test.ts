import { describe, expect, test } from "vitest";
import { readProcessCounts } from "./processCounts.ts";
import { runningApps } from "./stack.ts";

const linux = (cores: number) => ({ cores, platform: "linux" as const });

describe("the number of processes", () => {
  test.each([
    [1, 1],
    [2, 1],
    [7, 1],
    [8, 2],
    [16, 4],
    [128, 8],
  ])("on %i cores is %i of ingress and of projector", (cores, each) => {
    expect(readProcessCounts({}, linux(cores))).toEqual({ ingress: each, projector: each });
  });

  test("is what was set, also on few cores", () => {
    const env = { HEADWATER_INGRESS_PROCESSES: "3", HEADWATER_PROJECTOR_PROCESSES: "2" };
    expect(readProcessCounts(env, linux(2))).toEqual({ ingress: 3, projector: 2 });
  });

  test.each(["0", "9", "1.5", "many", "-1"])("cannot be %s", (text) => {
    expect(() => readProcessCounts({ HEADWATER_PROJECTOR_PROCESSES: text }, linux(2))).toThrow(
      `HEADWATER_PROJECTOR_PROCESSES is ${text} and must be a whole number from 1 to 8.`,
    );
  });

  test("is one ingress where ports cannot be shared, and more are refused", () => {
    const mac = { cores: 16, platform: "darwin" as const };
    expect(readProcessCounts({}, mac)).toEqual({ ingress: 1, projector: 4 });
    expect(() => readProcessCounts({ HEADWATER_INGRESS_PROCESSES: "2" }, mac)).toThrow("only Linux");
  });
});

describe("the processes of npm start", () => {
  test("have names, ports for operations and one port for clients of their own", () => {
    const running = runningApps({ ingress: 3, projector: 2 });
    expect(running.map(({ name }) => name)).toEqual([
      "ingress",
      "ingress-2",
      "ingress-3",
      "projector",
      "projector-2",
      "worker",
      "sender",
      "service",
      "tracker",
      "automation",
    ]);
    expect(new Set(running.map(({ operationsPort }) => operationsPort)).size).toBe(running.length);
    expect(running.filter(({ app }) => app === "ingress").map(({ port }) => port)).toEqual([0, 0, 0]);
    expect(running.filter(({ sharesPort }) => sharesPort).map(({ name }) => name)).toEqual([
      "ingress",
      "ingress-2",
      "ingress-3",
    ]);
    expect(runningApps({ ingress: 1, projector: 1 }).some(({ sharesPort }) => sharesPort)).toBe(false);
  });
});
