import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRandom, type Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { closeGate } from "../jobs/gates.ts";
import { type JobsGround, startJobsGround } from "../jobs/world.ts";

const { env } = process;
/** Rows of the file; FAULTS_IMPORT_ROWS makes fewer of them. */
const ROWS = Number(env.FAULTS_IMPORT_ROWS || 1_000_000);
const SEED = Number(env.FAULTS_SEED || Math.floor(Math.random() * 1_000_000));
/** Kills, spread over the import: of the worker at the gate between the log and its progress, of the projector, of both, of the worker at work. */
const KILLS = 12;
/** Contacts of the file that are updated live, each once and when its row is applied. */
const LIVE_EVERY_MS = 250;
const PROBES_ALONE = 20;
const MINUTE_MS = 60_000;
const TEST_TIMEOUT_MS = 60 * MINUTE_MS;

const emailOf = (n: number) => `person${n}@example.com`;
const say = (line: string) => process.stderr.write(`large import, ${ROWS} rows, seed ${SEED}: ${line}\n`);

interface Seen {
  readonly status: string;
  readonly phase: string | null;
  readonly completed: number;
  readonly at: number;
}

async function check({ ground }: JobsGround, jobId: string): Promise<Seen> {
  const [row] = await ground.postgres.query<Seen>(
    {
      text: `SELECT status, progress->>'phase' AS phase, completed_items AS completed,
        COALESCE((progress->'at'->>'index')::int, 0) AS at FROM jobs WHERE id = $1`,
    },
    [jobId],
  );
  if (row === undefined) throw new Error("there is no such job");
  return row;
}

const isOver = ({ status }: Seen) => status === "Done" || status === "Failed";

/** A text of the contact's document, undefined before it is there. */
async function docOf({ ground }: JobsGround, email: string): Promise<string | undefined> {
  const [row] = await ground.postgres.query<{ doc: string }>(
    {
      text: `SELECT doc FROM contact_identifiers i JOIN contacts c ON c.account = i.account AND c.number = i.contact
        WHERE i.account = (SELECT max(number) FROM intake.accounts) AND i.name = 'email' AND i.value = $1`,
    },
    [email],
  );
  return row?.doc;
}

/** Sends a record that has a line of its own, and waits until everybody can read it. @returns milliseconds. */
async function probe(on: JobsGround, n: number): Promise<number> {
  const sentAt = performance.now();
  const email = `probe${n}@example.com`;
  await on.append("upsertContact", { identifiers: { email }, attributes: { source: "probe" }, canBeCreated: true });
  const isThere = async () => ((await docOf(on, email)) === undefined ? "no contact" : undefined);
  await until(isThere, { timeoutMs: 5 * MINUTE_MS, everyMs: 5 });
  return performance.now() - sentAt;
}

/** Sends records next to the import: probes, and updates of contacts whose row is applied. */
class Live {
  readonly #on: JobsGround;
  readonly #jobId: string;
  readonly #random: Random;
  readonly updated = new Set<number>();
  readonly probes: number[] = [];
  isStopped = false;

  constructor(on: JobsGround, jobId: string, random: Random) {
    this.#on = on;
    this.#jobId = jobId;
    this.#random = random;
  }

  async run(): Promise<void> {
    for (let n = 0; !this.isStopped; n++) {
      await this.#update();
      this.probes.push(await probe(this.#on, PROBES_ALONE + n));
      await sleep(LIVE_EVERY_MS);
    }
  }

  /** Updates one of the rows that may be written again: near those that were written last. */
  async #update(): Promise<void> {
    const { at } = await check(this.#on, this.#jobId);
    const n = Math.max(0, Math.min(ROWS - 1, at + this.#random.between(-20_000, 8_000)));
    const doc = await docOf(this.#on, emailOf(n));
    if (this.updated.has(n) || doc?.includes('"file"') !== true) return;
    await this.#on.send("upsertContact", {
      identifiers: { email: emailOf(n) },
      attributes: { source: "live" },
      canBeUpdated: true,
    });
    this.updated.add(n);
  }
}

type Kill = (on: JobsGround) => Promise<void>;

async function killWorker({ apps }: JobsGround): Promise<void> {
  apps.worker().kill("SIGKILL");
  await apps.worker().ready();
}

async function killProjector({ apps }: JobsGround): Promise<void> {
  apps.projector(0).kill("SIGKILL");
  await apps.projector(0).ready();
}

/** Kills a worker whose rows are in the log, acknowledged, and which has not reported them yet. */
async function killAtGate(on: JobsGround, also: Kill = async () => undefined): Promise<void> {
  const gate = await closeGate(on.patient, "ImportContacts rows");
  try {
    await gate.reached(5 * MINUTE_MS);
    on.apps.worker().kill("SIGKILL");
    await also(on);
  } finally {
    await gate.open();
  }
  await on.apps.worker().ready();
}

const kills: Readonly<Record<string, Kill>> = {
  "worker between the log and its progress": (on) => killAtGate(on),
  projector: killProjector,
  "worker between the log and its progress, and projector": (on) => killAtGate(on, killProjector),
  "worker at work": killWorker,
};

/** Kills at equal parts of the file, as far as it is written. */
async function killAll(on: JobsGround, jobId: string): Promise<number> {
  const names = Object.keys(kills);
  for (let n = 0; n < KILLS; n++) {
    const from = ((n + 0.5) / KILLS) * ROWS;
    const isThere = async () => {
      const seen = await check(on, jobId);
      return seen.at >= from || seen.phase === "settle" || isOver(seen) ? undefined : JSON.stringify(seen);
    };
    await until(isThere, { timeoutMs: 20 * MINUTE_MS });
    const seen = await check(on, jobId);
    if (seen.phase !== "rows") return n;
    const name = names[n % names.length] ?? "";
    await kills[name]?.(on);
    say(`killed ${name} at row ${seen.at}, ${seen.completed} applied`);
  }
  return KILLS;
}

const middleOf = (times: readonly number[]) => Math.round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0);
const mostOf = (times: readonly number[]) => Math.round(Math.max(...times));

/** Counts contacts of the file by what their source says. */
async function stored({ ground }: JobsGround): Promise<Record<string, number>> {
  const rows = await ground.postgres.query<{ source: string; contacts: number }>({
    text: `SELECT CASE WHEN doc LIKE '%"live"%' THEN 'live' WHEN doc LIKE '%"file"%' THEN 'file' ELSE 'none' END AS source, count(*) AS contacts
      FROM contacts WHERE doc LIKE '%"person%' GROUP BY 1`,
  });
  return Object.fromEntries(rows.map(({ source, contacts }) => [source, contacts]));
}

test("an import of 1,000,000 rows whose worker and projector are killed is applied once, beside live updates of the same contacts", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const random = createRandom(SEED);
  const on = await startJobsGround("large-import", say);
  try {
    const alone: number[] = [];
    for (let n = 0; n < PROBES_ALONE; n++) alone.push(await probe(on, n));
    const lines = Array.from({ length: ROWS }, (_, n) => `${emailOf(n)},file,${n}`);
    const { url } = await on.call(
      "POST",
      "/v2/uploads?name=people.csv",
      `email,attributes.source,attributes.n\n${lines.join("\n")}\n`,
    );
    const startedAt = performance.now();
    const source = { transport: "file", path: url };
    const { jobId } = await on.call("POST", "/v2/contactimports", { source, hasHeader: true });
    const live = new Live(on, jobId, random.fork("live"));
    const beside = live.run();
    const killed = await killAll(on, jobId);
    const ended = async () => {
      const seen = await check(on, jobId);
      return isOver(seen) ? undefined : JSON.stringify(seen);
    };
    await until(ended, { timeoutMs: 40 * MINUTE_MS });
    const seconds = (performance.now() - startedAt) / 1_000;
    live.isStopped = true;
    await beside;
    say(
      `${killed} kills, ${seconds.toFixed(0)} s, ${Math.round(ROWS / seconds)} rows a second, ${live.updated.size} live updates`,
    );
    say(
      `a live record is there after ${middleOf(alone)} ms alone (${mostOf(alone)} at most of ${alone.length}), ` +
        `beside it after ${middleOf(live.probes)} ms (${mostOf(live.probes)} at most of ${live.probes.length})`,
    );
    const job = await on.call("GET", `/v2/jobs/${jobId}`);
    expect(job).toMatchObject({
      ...{ status: "Done", totalItems: ROWS, completedItems: ROWS },
      result: { totalRecords: ROWS, inserted: ROWS, updated: 0, ignored: 0, rejected: 0, error: 0 },
    });
    expect(await stored(on)).toEqual({ live: live.updated.size, file: ROWS - live.updated.size });
    for (const n of live.updated) expect(await docOf(on, emailOf(n))).toContain('"live"');
    expect(live.updated.size).toBeGreaterThan(0);
    expect(killed).toBe(KILLS);
    expect(on.apps.lastWords()).toEqual([]);
  } finally {
    await on.stop();
  }
});
