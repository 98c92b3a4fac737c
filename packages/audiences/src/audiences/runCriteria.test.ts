import type { QueryOptions } from "@headwater/clickhouse/clickhouse";
import { type Account, defaultSettings } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCriteria } from "./runCriteria.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const everybody: CriteriaNode = { kind: "and", path: "", nodes: [] };
const account: Account = { number: 7, id: "65f0c0ffee65f0c0ffee0007", name: "Shop", settings: defaultSettings };

test("attempts that merges make necessary share the time that one count may take", async () => {
  const input: (number | undefined)[] = [];
  const query = async <Row>(_: string, __?: object, { timeoutMs }: QueryOptions = {}): Promise<Row[]> => {
    input.push(timeoutMs);
    vi.advanceTimersByTime(12_000);
    return JSON.parse(`[{"count": 3, "aliasRevision": "${input.length}"}]`);
  };
  const refuse = () => Promise.reject(new Error("a count only asks"));
  const clickHouse = { query, insertBlock: refuse, command: refuse, ping: refuse, close: refuse };
  const aliasRevisions = { lastSeen: async () => "0", saw: () => undefined };
  const options = { basis: "recorded" as const, timezone: "UTC" };
  const run = { account, signal: AbortSignal.timeout(60_000), nowMs: Date.now(), options };
  const { row } = await runCriteria<{ count: number }>(everybody, run, { aliasRevisions, clickHouse });
  expect(row.count).toBe(3);
  expect(input).toEqual([30_000, 18_000, 6_000, 1]);
});
