import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { countTriggered, type Triggered } from "./countTriggered.ts";
import { killSenders, type Struck } from "./faults.ts";
import { FEW } from "./people.ts";
import { CONTENT } from "./rounds.ts";
import type { Person, SendsGround } from "./sendsGround.ts";

const ROOT = "/v2/automationtemplates";
const ACTION = "seen";
const ITEMS_AT_ONCE = 100;
const BEFORE_MS_MAX = 1_500;
const APPLIED_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 300_000;
const MINUTE_MS = 60_000;

export interface TriggersReport extends Struck {
  readonly mails: number;
  readonly sends: number;
  readonly runs: number;
  readonly tookMs: number;
  readonly differences: readonly string[];
}

export interface TriggersPlan {
  /** Strikes, each behind activities of its own. */
  readonly strikes: number;
  /** People who do something before each strike. */
  readonly people: number;
  readonly random: Random;
}

/** Activities trigger a template and ticks another one while projector, workers and senders are killed. Then each send is counted. */
export async function runTriggers(on: SendsGround, plan: TriggersPlan): Promise<TriggersReport> {
  const from = Date.now();
  const before = (await on.smtp.taken()).length;
  const event = await make(on, "of-an-activity", { event: { enabled: true, action: ACTION } });
  const schedule = { cron: "* * * * *" };
  const recurring = await make(on, "of-a-tick", { recurring: { enabled: true, schedule, audience: FEW } });
  await tickNow(on, recurring);
  const done = new Map<string, number>();
  let [windows, kills] = [0, 0];
  for (let strike = 0; strike < plan.strikes; strike++) {
    const acting = await act(on, { plan, strike, done });
    await sleep(plan.random.between(0, BEFORE_MS_MAX));
    const struck = await kill(on, strike, plan.random);
    windows += struck.windows;
    kills += struck.kills;
    await acting.applied();
  }
  await stopTicks(on, recurring);
  const triggered: Triggered = { event, recurring, done, windows };
  await ended(on, triggered);
  const mails = (await on.smtp.taken()).slice(before);
  const counted = await countTriggered(on, triggered, mails);
  return { ...counted, windows, kills, mails: mails.length, tookMs: Date.now() - from };
}

/** @returns the template's id. */
async function make({ call }: SendsGround, key: string, triggers: object): Promise<string> {
  await call("POST", ROOT, {
    ...{ key, name: key, channel: "email", classification: "transactional", baseAggregation: "daily", triggers },
    message: {
      headers: { subject: "Hi", fromEmail: "news@example.com", fromDesc: "Shop" },
      content: { "text/html": CONTENT },
    },
  });
  const { mdtID } = await call("GET", `${ROOT}/${key}`);
  if (typeof mdtID !== "string") throw new Error(`template ${key} has no id`);
  return mdtID;
}

/** Makes the tick of this minute due, so that nobody has to wait for the next one. */
async function tickNow({ ground }: SendsGround, mdtId: string): Promise<void> {
  const text = `UPDATE recurring_triggers SET next_at = next_at - ${MINUTE_MS} WHERE mdt_id = $1`;
  await ground.postgres.execute({ text }, [mdtId]);
}

async function stopTicks({ ground }: SendsGround, mdtId: string): Promise<void> {
  await ground.postgres.execute({ text: "UPDATE recurring_triggers SET next_at = NULL WHERE mdt_id = $1" }, [mdtId]);
}

interface Acting {
  readonly plan: TriggersPlan;
  readonly strike: number;
  /** Activities of each person, by email. */
  readonly done: Map<string, number>;
}

/** Sends an activity of each of some people. @returns once they are on the log, and a wait until they are applied. */
async function act(on: SendsGround, { plan, strike, done }: Acting) {
  const free = on.people.filter(({ fate }) => fate === "none");
  const from = plan.random.int(free.length);
  const acting = [...free.slice(from), ...free.slice(0, from)].slice(0, plan.people);
  const receipts: string[] = [];
  for (let first = 0; first < acting.length; first += ITEMS_AT_ONCE) {
    const items = acting.slice(first, first + ITEMS_AT_ONCE).map((person) => activityOf(person, strike));
    receipts.push(await on.append("createContactactivities/batch", { items }));
  }
  for (const { email } of acting) done.set(email, (done.get(email) ?? 0) + 1);
  const isApplied = async (receipt: string) => {
    const { state } = await on.call("GET", `/v2/receipts/${receipt}?wait=5`);
    return state === "applied" ? undefined : `activities are ${state}`;
  };
  return {
    async applied() {
      for (const receipt of receipts) await until(() => isApplied(receipt), { timeoutMs: APPLIED_TIMEOUT_MS });
    },
  };
}

function activityOf({ customerId }: Person, strike: number) {
  const event = { name: ACTION, time: new Date().toISOString(), UID: `${ACTION} ${strike} ${customerId}` };
  return { contact: { identifiers: { customer_id: customerId } }, contactactivities: [event] };
}

/** Projector, workers and senders are killed in turn, and at last all of them at once. */
async function kill(on: SendsGround, strike: number, random: Random): Promise<Struck> {
  const workers = [on.apps.worker(), on.apps.worker(1)];
  const turn = strike % 4;
  const killed = [
    ...(turn === 0 || turn === 3 ? [on.apps.projector(0)] : []),
    ...(turn === 1 || turn === 3 ? workers : []),
  ];
  for (const process of killed) process.kill("SIGKILL");
  const senders = turn === 2 || turn === 3 ? await killSenders(on) : { windows: 0, kills: 0 };
  await Promise.all([...killed, ...on.senders()].map((process) => process.ready()));
  // Whoever was killed finds again what others do meanwhile.
  await sleep(random.between(0, BEFORE_MS_MAX));
  return { windows: senders.windows, kills: killed.length + senders.kills };
}

/** Waits until each activity has its send, each run its sends, and each send its outcome. */
async function ended({ ground }: SendsGround, { event, recurring, done }: Triggered): Promise<void> {
  const wanted = [...done.values()].reduce((sum, one) => sum + one, 0);
  const text = `SELECT (SELECT count(*) FROM sends WHERE kind = 'a' AND message LIKE $1 || ':%') AS sends,
      (SELECT count(*) FROM sends WHERE kind = 'a' AND state IN ('pending', 'deferred', 'sending')) AS open,
      (SELECT count(*) FROM template_runs WHERE mdt_id = $2 AND ended_at IS NULL) AS running`;
  const check = async () => {
    await ground.postgres.execute({
      text: "UPDATE sends SET due_at = 0 WHERE kind = 'a' AND state = 'deferred' AND due_at > 0",
    });
    const [row] = await ground.postgres.query<{ sends: number; open: number; running: number }>({ text }, [
      event,
      recurring,
    ]);
    const { sends, open, running } = row ?? { sends: 0, open: 0, running: 1 };
    return sends >= wanted && open + running === 0
      ? undefined
      : `${sends} of ${wanted}, ${open} open, ${running} running`;
  };
  await until(check, { timeoutMs: END_TIMEOUT_MS });
}
