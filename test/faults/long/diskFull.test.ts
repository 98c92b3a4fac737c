import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { rootFolder } from "../../../infra/src/index.ts";
import { fillDisk } from "./fillDisk.ts";

const { env } = process;

/** Each part on a small file system of its own, which is filled up and emptied under a running `npm start`. */
const PARTS = ["kafka", "postgres", "clickhouse", "registry"] as const;
const PART_MEGABYTES = 400;
const FULL_MS = 20_000;
/** Ports below those of the exactly-once run, above the suites'. */
const PORT_BASE = Number(env.HEADWATER_PORT_BASE ?? 8_420) + 11_000;
const PATIENCE = { timeout: 180_000, interval: 1_000 };
const TEST_TIMEOUT_MS = 400_000;

const connectionShape = z.object({
  ...{ ingressUrl: z.string(), serviceUrl: z.string(), operationsUrl: z.string(), apiKey: z.string() },
});
const receiptShape = z.object({ receipt: z.string() });
const countsShape = z.object({ records: z.record(z.string(), z.number()) });
const accountingShape = z.object({ balanced: z.boolean() });

let home: string;
let connection: z.output<typeof connectionShape>;
const receipts: string[] = [];
let sent = 0;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "headwater-disks-"));
  for (const part of PARTS) mount(part);
  headwater("start", ["--detach", "--empty"]);
  connection = connectionShape.parse(JSON.parse(readFileSync(join(home, "connection.json"), "utf8")));
}, TEST_TIMEOUT_MS);

afterAll(() => {
  headwater("stop", []);
  for (const part of PARTS) execFileSync("umount", ["--lazy", join(home, "data", part)]);
  rmSync(home, { recursive: true });
}, TEST_TIMEOUT_MS);

function mount(part: string): void {
  const folder = join(home, "data", part);
  mkdirSync(folder, { recursive: true });
  const options = ["-t", "tmpfs", "-o", `size=${PART_MEGABYTES}m,mode=0700`, "tmpfs", folder];
  try {
    execFileSync("mount", options, { stdio: "pipe" });
  } catch (error) {
    throw new Error("full disks are made of file systems that only root may mount: run the fault suite as root", {
      cause: error,
    });
  }
}

function headwater(command: string, flags: readonly string[]): void {
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL, POSTGRES_URL, CLICKHOUSE_URL, ...rest } = env;
  execFileSync("npm", ["run", "--silent", command, "--", ...flags], {
    cwd: rootFolder,
    env: { ...rest, HEADWATER_HOME: home, HEADWATER_PORT_BASE: String(PORT_BASE) },
    stdio: "pipe",
  });
}

/** Sends for a while; keeps the receipts of what was accepted. @returns the statuses that came. */
async function send(ms: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (const until = Date.now() + ms; Date.now() < until; ) {
    const items = Array.from({ length: 20 }, () => {
      sent += 1;
      return {
        identifiers: { email: `p${sent}@disk.example` },
        attributes: { note: "x".repeat(500) },
        canBeCreated: true,
      };
    });
    const answer = await fetch(`${connection.ingressUrl}/api/upsertContact/batch`, {
      method: "POST",
      headers: { "x-api-key": connection.apiKey, "content-type": "application/json" },
      body: JSON.stringify(items),
    });
    statuses.add(answer.status);
    if (answer.status === 202) receipts.push(receiptShape.parse(await answer.json()).receipt);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return statuses;
}

async function get(path: string): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${connection.apiKey}:`).toString("base64")}`;
  return (await fetch(`${connection.serviceUrl}${path}`, { headers: { authorization } })).json();
}

/** Pids say whether a process of ours gave up. */
const healthShape = z.object({ status: z.string(), apps: z.record(z.string(), z.object({ pid: z.number() })) });
async function health() {
  return healthShape.parse(await (await fetch(`${connection.operationsUrl}/health`)).json());
}

test.each(PARTS)(
  "the disk of %s is full for a while: nobody of ours ends, and everything comes back by itself and balances",
  async (part) => {
    const { apps } = await health();
    await send(2_000);
    const ballast = join(home, "data", part, "ballast");
    await fillDisk(ballast);
    const statuses = await send(FULL_MS);
    expect([...statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
    rmSync(ballast);
    await vi.waitFor(async () => expect((await health()).status).toBe("ready"), PATIENCE);
    expect((await health()).apps).toEqual(apps);
    expect((await send(2_000)).has(202)).toBe(true);
    for (const receipt of receipts.splice(0)) {
      const read = async () => countsShape.parse(await get(`/v2/receipts/${receipt}`)).records;
      await vi.waitFor(async () => expect(await read()).toMatchObject({ applied: 20, pending: 0 }), PATIENCE);
    }
    const balanced = async () => accountingShape.parse(await get("/v2/accounting")).balanced;
    await vi.waitFor(async () => expect(await balanced()).toBe(true), PATIENCE);
  },
  TEST_TIMEOUT_MS,
);
