import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "../report/row.ts";
import { type Baseline, type BaselineFigure, readBaseline } from "./baseline.ts";
import { compareWithBaseline, LEAST_RATIO, toBaselineTable } from "./compareWithBaseline.ts";

const LIMIT = "Fastify that only parses";
const SINGLES = { path: "singles", what: "single upsertContact, 64 connections" } as const;
const COMMITTED = fileURLToPath(new URL("../../../docs/performance/baseline.json", import.meta.url));

function report(figures: Row["ours"], ratio = 0.5): Row[] {
  return [{ ...SINGLES, ours: figures, limits: [{ name: LIMIT, figures: { eventsPerSecond: 1 }, ratio }] }];
}

function baseline(
  ...figures: (Pick<BaselineFigure, "figure" | "value" | "better"> & Partial<BaselineFigure>)[]
): Baseline {
  const run = { date: "2026-11-28", commit: null, machine: "2 cores", command: "npm run bench -- --path singles" };
  return { runs: [{ ...run, scale: "small", figures: figures.map((figure) => ({ ...SINGLES, ...figure })) }] };
}

const ran = { paths: ["singles"], scale: "small" } as const;

describe("a report compared with a baseline", () => {
  test("is held at the tolerance, and behind below it, whichever direction is better", () => {
    const figures = baseline(
      { figure: "per core-s", value: 10_000, better: "higher" },
      { figure: "p99 ms", value: 10, better: "lower" },
    );
    const at = report({
      eventsPerSecond: 1,
      eventsPerCoreSecond: 10_000 * LEAST_RATIO.alone,
      p99Ms: 10 / LEAST_RATIO.alone,
    });
    expect(compareWithBaseline(at, figures, ran)).toMatchObject([
      { ratio: LEAST_RATIO.alone, isHeld: true },
      { ratio: LEAST_RATIO.alone, isHeld: true },
    ]);
    const below = report({ eventsPerSecond: 1, eventsPerCoreSecond: 4_999, p99Ms: 20.1 });
    expect(compareWithBaseline(below, figures, ran).map(({ isHeld }) => isHeld)).toEqual([false, false]);
  });

  test("has less room where a limit of the same run tells the machine's speed apart", () => {
    const figures = baseline({ figure: `ratio: ${LIMIT}`, value: 0.4, better: "higher" });
    const heldAt = (ratio: number) =>
      compareWithBaseline(report({ eventsPerSecond: 1 }, ratio), figures, ran)[0]?.isHeld;
    expect([heldAt(0.4), heldAt(0.31), heldAt(0.29)]).toEqual([true, true, false]);
  });

  test("is behind where its row, figure or limit is missing", () => {
    const figures = baseline(
      { figure: "p50 ms", value: 3, better: "lower" },
      { figure: "ratio: a limit of before", value: 1, better: "higher" },
      { figure: "per core-s", value: 1, better: "higher", what: "a row of before" },
    );
    const held = compareWithBaseline(report({ eventsPerSecond: 1, eventsPerCoreSecond: 1 }), figures, ran);
    expect(held.map(({ isHeld, now }) => [isHeld, now])).toEqual(Array(3).fill([false, undefined]));
  });

  test("leaves out figures of paths that did not run and of another scale", () => {
    const figures = baseline({ figure: "per core-s", value: 1, better: "higher" });
    expect(compareWithBaseline([], figures, { ...ran, paths: ["ingress"] })).toEqual([]);
    expect(compareWithBaseline([], figures, { ...ran, scale: "large" })).toEqual([]);
    expect(compareWithBaseline([], figures, ran)).toHaveLength(1);
  });

  test("shows each figure with its baseline, its ratio and how many are behind", () => {
    const figures = baseline(
      { figure: "per core-s", value: 10_000, better: "higher" },
      { figure: "p50 ms", value: 3, better: "lower" },
    );
    const table = toBaselineTable(
      compareWithBaseline(report({ eventsPerSecond: 1, eventsPerCoreSecond: 12_500 }), figures, ran),
    );
    const lines = table.split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(lines.slice(2)).toEqual([
      ["singles", `${SINGLES.what}: per core-s`, "10,000", "12,500", "1.25", "0.50", "held"],
      ["singles", `${SINGLES.what}: p50 ms`, "3.00", "0.50", "missing"],
      [""],
      ["1 of 2 figures are behind the baseline."],
      [""],
    ]);
  });
});

describe("a baseline file", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "headwater-baseline-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const written = async (content: string): Promise<string> => {
    const file = join(folder, "baseline.json");
    await writeFile(file, content);
    return file;
  };

  test("is read as it is written", async () => {
    const figures = baseline({ figure: "per core-s", value: 10_000, better: "higher" });
    await expect(readBaseline(await written(JSON.stringify(figures)))).resolves.toEqual(figures);
  });

  test("is refused when it is missing, not JSON, or names a path that the bench does not have", async () => {
    await expect(readBaseline(join(folder, "missing.json"))).rejects.toThrow("cannot be read");
    await expect(readBaseline(await written("{"))).rejects.toThrow("not a baseline");
    const text = JSON.stringify(baseline({ figure: "MiB", value: 1, better: "lower" })).replace(
      '"singles"',
      '"doubles"',
    );
    await expect(readBaseline(await written(text))).rejects.toThrow("not a baseline");
  });

  test("is committed with the current figures, each of them once", async () => {
    const { runs } = await readBaseline(COMMITTED);
    const names = runs.flatMap(({ scale, figures }) =>
      figures.map((one) => `${scale} ${one.path} ${one.what} ${one.figure}`),
    );
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names).size).toBe(names.length);
  });
});
