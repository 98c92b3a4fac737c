import { hash } from "node:crypto";
import { z } from "zod";
import { until } from "../harness/until.ts";
import { emailOf, jobNames, type Kind, noteOf, orderId, type Sizes } from "./asked.ts";
import type { JobsGround } from "./world.ts";

export interface SeenJob {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

const fileShape = z.object({ name: z.string(), rows: z.number(), bytes: z.number(), sha256: z.string() });
const metadataShape = z.object({
  files: z.array(fileShape).default([]),
  manifest: fileShape.omit({ rows: true }).optional(),
  error: z.object({ code: z.string() }).optional(),
});
const resultShape = z.object({
  totalRecords: z.number(),
  inserted: z.number(),
  updated: z.number(),
  ignored: z.number(),
  rejected: z.number(),
  error: z.number(),
});
const STRAY_TIMEOUT_MS = 30_000;

/** Compares what came of jobs with what was asked for, by clients of others and by plain SQL. */
export interface Counting {
  readonly sizes: Sizes;
  /** Rows of a trend that nothing disturbed; the first one sets it. */
  trend: string | undefined;
  compared: number;
}

export interface RoundCount {
  readonly round: number;
  readonly jobs: readonly SeenJob[];
  /** The storage refused every manifest: no export can be done. */
  readonly isRefused: boolean;
  /** A live update came between the row and its second copy. */
  readonly hasLive: boolean;
  /** A trend alone, which the others are compared with. */
  readonly isFirst: boolean;
}

/** @returns differences, none if all is right. */
export async function countRound(on: JobsGround, counting: Counting, round: RoundCount): Promise<string[]> {
  const differences: string[] = [];
  const of = (kind: Kind) => round.jobs.filter(({ name }) => name === jobNames[kind]);
  for (const kind of ["export", "trend"] as const)
    for (const job of of(kind)) differences.push(...(await countExport(on, counting, { job, kind, round })));
  if (!round.isFirst) differences.push(...(await countImports(on, counting, { ...round, jobs: of("import") })));
  differences.push(...(await countStrays(on, round.jobs)));
  return differences;
}

async function countExport(
  { ground, outside }: JobsGround,
  counting: Counting,
  { job, kind, round }: { readonly job: SeenJob; readonly kind: "export" | "trend"; readonly round: RoundCount },
): Promise<string[]> {
  const wrong = (text: string) => `${job.name} ${job.id}: ${text}`;
  const [row] = await ground.postgres.query<{ metadata: string }>(
    { text: "SELECT metadata::text AS metadata FROM jobs WHERE id = $1" },
    [job.id],
  );
  const { files, manifest, error } = metadataShape.parse(JSON.parse(row?.metadata ?? "{}"));
  const found = await outside.files(job.id);
  if (round.isRefused) {
    const isRight = job.status === "Failed" && error?.code === "STORAGE_CONNECTION_ERROR" && manifest === undefined;
    const names = [...found.keys()].filter((name) => name.endsWith("manifest.json"));
    return isRight && names.length === 0 ? [] : [wrong(`ended ${job.status} ${error?.code}, with ${names}`)];
  }
  if (job.status !== "Done" || manifest === undefined) return [wrong(`ended ${job.status} ${error?.code}`)];
  const differences: string[] = [];
  const names = [...files, manifest].map(({ name }) => name).sort();
  if (String([...found.keys()].sort()) !== String(names)) differences.push(wrong(`there is ${[...found.keys()]}`));
  for (const { name, bytes, sha256 } of [...files, manifest]) {
    const there = found.get(name) ?? Buffer.alloc(0);
    if (there.length !== bytes || hash("sha256", there, "hex") !== sha256) differences.push(wrong(`${name} differs`));
    counting.compared += 1;
  }
  const stated = metadataShape.parse(JSON.parse(found.get(manifest.name)?.toString() ?? "{}")).files;
  if (JSON.stringify(stated) !== JSON.stringify(files)) differences.push(wrong("the manifest names other files"));
  const text = files.map(({ name }) => found.get(name)?.toString() ?? "");
  const content = kind === "export" ? contactsIn(text, counting) : trendIn(text.join(""), counting);
  return [...differences, ...content.map(wrong)];
}

function contactsIn(files: readonly string[], counting: Counting): string[] {
  const missing = new Set(Array.from({ length: counting.sizes.contacts }, (_, n) => `"${emailOf(n)}","${noteOf(n)}"`));
  const differences: string[] = [];
  for (const file of files)
    for (const line of file.split("\r\n").slice(1, -1)) {
      counting.compared += 1;
      if (!missing.delete(line)) differences.push(`has the row ${line.slice(0, 80)} twice, or it is nobody's`);
    }
  return missing.size === 0 ? differences : [...differences, `lacks ${missing.size} contacts`];
}

function trendIn(text: string, counting: Counting): string[] {
  counting.trend ??= text;
  counting.compared += text.split("\r\n").length;
  return text === counting.trend ? [] : [`has other rows:\n${text}\ninstead of\n${counting.trend}`];
}

async function countImports({ ground }: JobsGround, counting: Counting, round: RoundCount): Promise<string[]> {
  const { sizes } = counting;
  const { postgres } = ground;
  const differences: string[] = [];
  let inserted = 0;
  for (const { id, status } of round.jobs) {
    const [row] = await postgres.query<{ result: string; rejections: number }>(
      {
        text: `SELECT result::text AS result, (SELECT count(*) FROM job_rejections WHERE job = $1) AS rejections
          FROM jobs WHERE id = $1`,
      },
      [id],
    );
    const { totalRecords, ...ends } = resultShape.parse({ ...zeros, ...JSON.parse(row?.result ?? "{}") });
    const sum = Object.values(ends).reduce((all, one) => all + one, 0);
    inserted += ends.inserted;
    const isRight = status === "Done" && totalRecords === sizes.orders + 1 && sum === totalRecords;
    if (!isRight || ends.rejected !== 1 || row?.rejections !== 1)
      differences.push(`import ${id}: ${status} ${row?.result}, ${row?.rejections} rejections`);
  }
  const stored = await postgres.query<{ id: string; status: string }>(
    {
      text: `SELECT order_id AS id, (SELECT member->>1 FROM jsonb_array_elements(doc::jsonb->'members') AS member
          WHERE member->>0 = 'status') AS status FROM orders WHERE order_id LIKE $1`,
    },
    [`r${round.round}-%`],
  );
  counting.compared += stored.length;
  if (stored.length !== sizes.orders || inserted !== sizes.orders)
    differences.push(`round ${round.round}: ${stored.length} orders, ${inserted} inserted, of ${sizes.orders}`);
  const expected = (id: string) => (round.hasLive && id === orderId(round.round, 0) ? "live" : "file");
  const wrong = stored.filter(({ id, status }) => status !== expected(id));
  if (wrong.length > 0) differences.push(`${wrong.length} orders are wrong, as ${JSON.stringify(wrong[0])}`);
  return differences;
}

const zeros = { totalRecords: 0, inserted: 0, updated: 0, ignored: 0, rejected: 0, error: 0 };

/** Uploads that were begun, and tables of exports that are over. A worker that woke needs a moment to give up its own. */
async function countStrays({ ground, outside }: JobsGround, jobs: readonly SeenJob[]): Promise<string[]> {
  const over = jobs.filter(({ status }) => status === "Done").map(({ id }) => id);
  const check = async () => {
    const unfinished = await outside.unfinished();
    const tables = await ground.clickhouse.query<{ name: string }>(
      "SELECT name FROM system.tables WHERE startsWith(name, 'export_staging_')",
    );
    const left = tables.filter(({ name }) => over.some((id) => name.includes(id)));
    return unfinished + left.length === 0 ? undefined : `${unfinished} uploads, tables ${left.map(({ name }) => name)}`;
  };
  try {
    await until(check, { timeoutMs: STRAY_TIMEOUT_MS });
    return [];
  } catch (error) {
    return [String(error)];
  }
}
