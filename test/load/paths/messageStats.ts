import { ACTIVITIES_GROUP, INTAKE_TOPICS } from "@headwater/contracts";
import { z } from "zod";
import { toFigures } from "../measure/tally.ts";
import { median, quantileOf, toStretch } from "../measure/times.ts";
import { addTransport, type MessageWorld, startMessage, withMessages } from "../messages/messageWorld.ts";
import { seedRecipients } from "../messages/recipients.ts";
import type { Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";

const SENDS = 1_000_000;
const ACTIVITIES = { small: 10_000_000, large: 100_000_000 } as const;
const AT_ONCE = 1_000_000;
const TURNS = 20;
const AIM_RATIO = 1.3;
const AIM_P95_MS = 300;
const SEED_TIMEOUT_MS = 600_000;
const count = z.coerce.number();
const answer = z.object({ stats: z.object({ sent: count, opens: count, clicks: count }) });
const byHandRow = z.object({ sent: count, opens: count, clicks: count });

/** `stats` of a message of a million sends among other activities, next to SQL by hand. */
export async function messageStats(bench: Bench): Promise<Row[]> {
  return withMessages(bench, "message_stats", async (world) => {
    const id = await seed(bench, world);
    const [mine, byHand]: [number[], number[]] = [[], []];
    for (let turn = 0; turn <= TURNS; turn++) {
      const ours = await timed(async () => answer.parse(await read(world, id)).stats);
      const theirs = await timed(() => countByHand(world, id));
      if (JSON.stringify(ours.numbers) !== JSON.stringify(theirs.numbers)) {
        throw new Error(`ours counts ${JSON.stringify(ours.numbers)}, by hand ${JSON.stringify(theirs.numbers)}`);
      }
      if (turn === 0) continue;
      mine.push(ours.ms);
      byHand.push(theirs.ms);
    }
    return [toRow(bench, world, { mine, byHand })];
  });
}

async function seed(bench: Bench, world: MessageWorld): Promise<string> {
  const { account, clickhouse, postgres } = world;
  const activities = ACTIVITIES[bench.scale];
  bench.say(
    `message-stats: making ${SENDS.toLocaleString("en")} sends among ${activities.toLocaleString("en")} activities`,
  );
  // Somebody has to be there to start a message; the account is older than its activities, and their place is known.
  await seedRecipients(world, { port: world.service.port, count: 1 });
  const age = "UPDATE intake.accounts SET created_at = now() - interval '3 years' WHERE number = $1";
  await postgres.execute({ text: age }, [account.number]);
  const position =
    "INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset) VALUES ($1, $2, 0, 0, 1) ON CONFLICT DO NOTHING";
  await postgres.execute({ text: position }, [ACTIVITIES_GROUP, INTAKE_TOPICS[0]]);
  const id = await startMessage(world, await addTransport(world, {}));
  const ended = "UPDATE batch_messages SET status = 'sent', audience_total = $2 WHERE id = $1";
  await postgres.execute({ text: ended }, [id, SENDS]);
  await postgres.execute(
    {
      text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, resends_left, created_at, due_at, at)
        SELECT $1, $2, n, 1, 'b', lpad(to_hex(n), 24, '0'), 'email', 'promotional', 2, 'sent', 0, 0, 0, 0 FROM generate_series(1, ${SENDS}) AS n`,
    },
    [account.number, id],
  );
  await postgres.execute({ text: "VACUUM (ANALYZE) sends" });
  for (let first = 0; first < activities; first += AT_ONCE) {
    const message = first < SENDS ? `'${id}'` : "concat('m', toString(number % 50))";
    await clickhouse.command(activityRows(account, { first, message }), {}, { timeoutMs: SEED_TIMEOUT_MS });
  }
  return id;
}

interface Activities {
  readonly first: number;
  readonly message: string;
}

/** A million sends with the opens of a third of them, and clicks of a tenth. */
function activityRows({ id, number }: MessageWorld["account"], { first, message }: Activities): string {
  const mcID = `concat('${id}:', ${message}, ':b:', lower(leftPad(hex(number + 1), 24, '0')), ':1')`;
  return `INSERT INTO activities (account, contact, action, time, ingested, uid, record, mc_id, properties)
    SELECT ${number}, number + 1, action,
      now64(3) - toIntervalSecond(1 + cityHash64(number) % 5000000) AS time, time, concat(action, ':', toString(number)),
      concat('r-', action, toString(number)), ${mcID}, '{"channel":"email"}'
    FROM numbers(${first}, ${AT_ONCE})
    ARRAY JOIN arrayFilter(one -> one = 'message-sent' OR number % if(one = 'open', 3, 10) = 0, ['message-sent', 'open', 'click']) AS action`;
}

function read(world: MessageWorld, id: string): Promise<unknown> {
  return callService(world, { port: world.service.port, path: `/v2/batchmessages/${id}?fields=stats` });
}

async function countByHand({ clickhouse, account }: MessageWorld, id: string) {
  const [row] = await clickhouse.query(
    `SELECT uniqExactIf(uid, action = 'message-sent') AS sent, uniqExactIf(uid, action = 'open') AS opens,
        uniqExactIf(uid, action = 'click') AS clicks,
        (SELECT sum(total) FROM orders_current FINAL WHERE account = {account: UInt32} AND message = {id: String}) AS revenue
      FROM activities WHERE account = {account: UInt32} AND message = {id: String}
        AND action IN ('message-sent', 'open', 'click', 'bounce', 'optout', 'complaint')`,
    { account: account.number, id },
  );
  return byHandRow.parse(row);
}

async function timed<Numbers>(
  ask: () => Promise<Numbers>,
): Promise<{ readonly ms: number; readonly numbers: Numbers }> {
  const startedAtMs = performance.now();
  const numbers = await ask();
  return { ms: performance.now() - startedAtMs, numbers };
}

interface Turns {
  readonly mine: readonly number[];
  readonly byHand: readonly number[];
}

function toRow(bench: Bench, { service }: MessageWorld, { mine, byHand }: Turns): Row {
  const ratio = median(mine) / median(byHand);
  const p95 = quantileOf(mine, 0.95);
  const others = ACTIVITIES[bench.scale].toLocaleString("en");
  return {
    path: "message-stats",
    what: `stats of a message of ${SENDS.toLocaleString("en")} sends among ${others} activities and more`,
    ours: toFigures([toStretch(mine)], service.peakMemoryMib()),
    limits: [{ name: "SQL by hand", figures: toFigures([toStretch(byHand)]), ratio }],
    aim: { text: `≤ ${AIM_RATIO} times, p95 ≤ ${AIM_P95_MS} ms`, isMet: ratio <= AIM_RATIO && p95 <= AIM_P95_MS },
    notes: [`p95 ${p95.toFixed(0)} ms; median ${median(mine).toFixed(0)} ms, by hand ${median(byHand).toFixed(0)} ms`],
  };
}
