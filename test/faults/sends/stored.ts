import { settle } from "../harness/settle.ts";
import { until } from "../harness/until.ts";
import type { SendsGround } from "./sendsGround.ts";

const RESOLVE_TIMEOUT_MS = 120_000;
const CLICKS_TIMEOUT_MS = 60_000;

interface Expected {
  readonly contact: number;
  readonly cid: string;
  readonly message: string;
  readonly kind: string;
  readonly n: number;
  readonly state: string;
  readonly reason: string | null;
}

/** Compares the activities in ClickHouse, whose table never folds here, with the outcomes: each stands there once. */
export async function countStored(on: SendsGround): Promise<{ compared: number; differences: string[] }> {
  // A broker that was killed leads its partitions a while after it answers.
  const check = () => settle(on.ground).then(() => undefined, String);
  await until(check, { timeoutMs: RESOLVE_TIMEOUT_MS });
  const gone = new Set(on.people.filter(({ fate }) => fate === "erased").map(({ number }) => number));
  const text = "SELECT contact, cid, message, kind, n, state, reason FROM sends WHERE account = $1";
  const rows = await on.ground.postgres.query<Expected & Record<string, unknown>>({ text }, [on.account.number]);
  const wanted = new Set(rows.filter(({ contact }) => !gone.has(contact)).flatMap((row) => uidsOf(on, row)));
  const possible = new Set(rows.flatMap((row) => uidsOf(on, row)));
  const stored = await on.ground.clickhouse.query<{ uid: string; times: string }>(
    `SELECT uid, count() AS times FROM activities
      WHERE account = ${on.account.number} AND action IN ('message-sent', 'bounce', 'message-stopped') GROUP BY uid`,
  );
  const times = new Map(stored.map(({ uid, times: count }) => [uid, Number(count)]));
  const differences = [
    ...[...times].filter(([, count]) => count !== 1).map(([uid, count]) => `${uid} stands ${count} times`),
    ...[...wanted].filter((uid) => !times.has(uid)).map((uid) => `${uid} is missing`),
    ...[...times.keys()].filter((uid) => !possible.has(uid)).map((uid) => `${uid} reports nothing that happened`),
  ];
  const clicked = await compareClicks(on);
  return { compared: wanted.size + clicked.compared, differences: [...differences, ...clicked.differences] };
}

/** Each click that was answered stands there once. */
async function compareClicks({ account, people, ground }: SendsGround) {
  const existing = people.filter(({ fate }) => fate === "none" || fate === "unsubscribed");
  const wanted = new Map(existing.map(({ number, clicks }) => [number, clicks]));
  const sql = `SELECT contact, count() AS times FROM activities WHERE account = ${account.number} AND action = 'click' GROUP BY contact`;
  const read = async () => {
    const rows = await ground.clickhouse.query<{ contact: number; times: string }>(sql);
    const times = new Map(rows.map(({ contact, times: count }) => [Number(contact), Number(count)]));
    return [...wanted]
      .filter(([contact, clicks]) => (times.get(contact) ?? 0) !== clicks)
      .map(([contact, clicks]) => `${times.get(contact) ?? 0} of ${clicks} clicks of contact ${contact} are there`);
  };
  // Clicks are held for two seconds, and wait in the tracker while Kafka is away.
  const look = async () => (await read())[0];
  await until(look, { timeoutMs: CLICKS_TIMEOUT_MS }).catch(() => undefined);
  return { compared: [...wanted.values()].reduce((sum, one) => sum + one, 0), differences: await read() };
}

/** Ids of the activities of an outcome. Skips of those who were erased or canceled have none that must be there. */
function uidsOf({ account }: SendsGround, { cid, message, kind, n, state, reason }: Expected): string[] {
  const mcID = [account.id, message, kind, cid, n].join(":");
  if (state === "sent") return [`sent:${mcID}`, ...(reason === "bounced" ? [`bounce:${mcID}`] : [])];
  if (state === "skipped" && reason !== "erased" && reason !== "canceled" && reason !== "left-audience") {
    return [`stopped:${mcID}`];
  }
  return [];
}
