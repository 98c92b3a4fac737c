import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { type Asked, askedIn, contactsFile, jobNames, KINDS, type Kind, orderId, orderOf, phases } from "./asked.ts";
import { type Counting, countRound, type SeenJob } from "./count.ts";
import { commitJobFault, isOfStorage, type JobFault } from "./faults.ts";
import { closeGate, type Gate } from "./gates.ts";
import { setDue } from "./jobQueue.ts";
import type { JobsGround } from "./world.ts";

/** A fault that meets one job of each kind in one of its phases. */
export interface Round {
  readonly fault: JobFault;
  readonly at: Readonly<Record<Kind, string>>;
  /** It comes in the work after these phases; otherwise when their work is done and not reported. */
  readonly isAfter: boolean;
}

export interface RoundReport extends Round {
  readonly tookMs: number;
  readonly differences: readonly string[];
}

const FINAL = ["Done", "Failed", "Canceled"];
const OVER_TIMEOUT_MS = 300_000;
const ROWS_TIMEOUT_MS = 60_000;
const AFTER_MS_MAX = 400;

/** Draws rounds in which every fault meets every phase of every kind, in an order that the seed decides. */
export function drawRounds(faults: readonly JobFault[], random: Random): Round[] {
  const rounds: Round[] = [];
  const turns = Math.max(...KINDS.map((kind) => phases[kind].length));
  for (const fault of faults)
    for (let turn = 0; turn < turns; turn++) {
      const at = {
        export: phaseOf("export", turn, fault),
        trend: phaseOf("trend", turn + 1, fault),
        import: phaseOf("import", turn, fault),
      };
      rounds.push({ fault, at, isAfter: random.chance(0.5) });
    }
  return rounds
    .map((round) => ({ round, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ round }) => round);
}

/** Picks the phase of a turn. A storage fails while files are written: such a fault comes before. */
function phaseOf(kind: Kind, turn: number, fault: JobFault): string {
  const all = isOfStorage(fault) && kind !== "import" ? phases[kind].slice(0, 3) : phases[kind];
  return all[turn % all.length] ?? "first";
}

/** Brings contacts up by an import, and shows a trend that nothing disturbs. */
export async function beginRounds(on: JobsGround, counting: Counting): Promise<object> {
  const { url } = await on.call("POST", "/v2/uploads?name=contacts.csv", contactsFile(counting.sizes));
  const source = { transport: "file", path: url };
  const { jobId } = await on.call("POST", "/v2/contactimports", { source, hasHeader: true });
  await overOf(on, [jobId]);
  const [end] = await on.ground.postgres.query<{ at: number }>({ text: "SELECT now() AS at" });
  const at = new Date(end?.at ?? Date.now()).getTime();
  const timeframe = { start: new Date(at - 3 * 3_600_000).toISOString(), end: new Date(at).toISOString() };
  const { trend } = await askedIn(on, { round: 0, sizes: { ...counting.sizes, orders: 1 }, timeframe });
  const started = await on.call("POST", trend.path, trend.body);
  const jobs = await overOf(on, [started.jobId]);
  const differences = await countRound(on, counting, {
    round: 0,
    jobs,
    isRefused: false,
    hasLive: false,
    isFirst: true,
  });
  if (differences.length > 0) throw new Error(differences.join("\n"));
  return timeframe;
}

export async function runRound(
  on: JobsGround,
  counting: Counting,
  plan: { readonly round: Round; readonly number: number; readonly timeframe: object; readonly random: Random },
): Promise<RoundReport> {
  const { round, number, timeframe } = plan;
  const startedAt = performance.now();
  const { fault, at } = round;
  const asked = await askedIn(on, { round: number, sizes: counting.sizes, timeframe });
  const before = await jobsOf(on);
  const gates = await Promise.all(KINDS.map((kind) => closeGate(on.patient, `${jobNames[kind]} ${at[kind]}`)));
  const hasLive = at.import === "rows" && fault !== "kill service at the request";
  let end: () => Promise<void>;
  try {
    await start(on, asked, { fault, before });
    await Promise.all(gates.map((gate) => gate.reached()));
    if (hasLive) await updateLive(on, number);
    end = await commitAt(on, gates, plan);
  } finally {
    await Promise.all(gates.map((gate) => gate.open()));
  }
  const known = new Set(before.map(({ id }) => id));
  const mine = (await jobsOf(on)).filter(({ id }) => !known.has(id));
  const jobs = await overOf(
    on,
    mine.map(({ id }) => id),
  );
  const isRefused = fault === "storage refuses the manifest";
  const count = () => countRound(on, counting, { round: number, jobs, isRefused, hasLive, isFirst: false });
  const differences = await count();
  await end();
  // A worker that slept has woken by now.
  differences.push(...(fault.startsWith("worker ") ? await count() : []));
  return { ...round, tookMs: Math.round(performance.now() - startedAt), differences };
}

/** Asks for the jobs of a round. Without an answer nobody knows whether there is a job: another one is asked for. */
async function start(
  on: JobsGround,
  asked: Readonly<Record<Kind, Asked>>,
  { fault, before }: { readonly fault: JobFault; readonly before: readonly SeenJob[] },
): Promise<void> {
  const calls = KINDS.map((kind) => asked[kind]);
  if (fault !== "kill service at the request") {
    for (const { path, body } of calls) await on.call("POST", path, body);
    return;
  }
  const answers = Promise.all(calls.map(({ path, body }) => on.callOnce("POST", path, body)));
  const isBegun = async () => ((await jobsOf(on)).length > before.length ? undefined : "no job");
  await until(isBegun, { timeoutMs: 20_000, everyMs: 1 });
  on.apps.service().kill("SIGKILL");
  await on.apps.service().ready();
  for (const [index, answer] of (await answers).entries()) {
    const call = calls[index];
    if (answer === undefined && call !== undefined) await on.call("POST", call.path, call.body);
  }
}

async function commitAt(
  on: JobsGround,
  gates: readonly Gate[],
  { round: { fault, isAfter }, random }: { readonly round: Round; readonly random: Random },
): Promise<() => Promise<void>> {
  const open = () => Promise.all(gates.map((gate) => gate.open()));
  if (isAfter && !isOfStorage(fault)) {
    await open();
    await sleep(random.between(0, AFTER_MS_MAX));
    return commitJobFault(fault, on, random);
  }
  const end = await commitJobFault(fault, on, random);
  await open();
  return end;
}

/** Updates an order of the file after its row, and before the worker has reported that the row is written. */
async function updateLive(on: JobsGround, round: number): Promise<void> {
  const id = orderId(round, 0);
  const isThere = async () => {
    const rows = await on.ground.postgres.query({ text: "SELECT 1 AS it FROM orders WHERE order_id = $1" }, [id]);
    return rows.length > 0 ? undefined : `no order ${id}`;
  };
  await until(isThere, { timeoutMs: ROWS_TIMEOUT_MS, everyMs: 20 });
  const { email, ...order } = orderOf(id, 0, "live");
  await on.send("upsertOrder", { contact: { identifiers: { email } }, order });
}

async function jobsOf({ ground }: JobsGround): Promise<SeenJob[]> {
  return [...(await ground.postgres.query<SeenJob>({ text: "SELECT id, name, status FROM jobs" }))];
}

/** Waits until jobs are over. */
async function overOf(on: JobsGround, ids: readonly string[]): Promise<SeenJob[]> {
  const mine = async () => (await jobsOf(on)).filter(({ id }) => ids.includes(id));
  const check = async () => {
    // Whoever waits for a storage or a watermark tries again at the next check of a worker.
    await setDue(on.ground.postgres).catch(() => undefined);
    const going = (await mine()).filter(({ status }) => !FINAL.includes(status));
    return going.length === 0 ? undefined : going.map(({ name, id, status }) => `${name} ${id} ${status}`).join(", ");
  };
  await until(check, { timeoutMs: OVER_TIMEOUT_MS });
  return mine();
}
