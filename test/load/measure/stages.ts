import { ACTIVITIES_GROUP, HISTORY_GROUP, STATE_GROUP, topicOfStream, topicsReadBy } from "@headwater/contracts";
import type { World } from "../world/world.ts";
import { quantileOf } from "./times.ts";

const EVERY_MS = 25;

interface OffsetRow {
  readonly grp: string;
  readonly topic: string;
  readonly partition: number;
  readonly next: number;
  readonly position: number;
}

interface Published {
  readonly offsets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Lowest outbox position that is not published. */
  readonly waiting: number | null;
}

/** The groups and the relay as they were at a moment. */
export interface Check extends Published {
  readonly atMs: number;
  readonly rows: readonly OffsetRow[];
}

/** Position of a record in the log, and when it was accepted. */
export interface Accepted {
  readonly lane: number;
  readonly partition: number;
  readonly offset: number;
  readonly acceptedAtMs: number;
}

/** Milliseconds from the 202 until a step had dealt with a record; `history` has what `state` stored with it. */
export interface StageTimes {
  readonly state: number;
  readonly activities: number;
  readonly published: number;
  readonly history: number;
}

const text = `SELECT (SELECT json_agg(json_build_object('grp', grp, 'topic', topic, 'partition', partition, 'next', next_offset,
      'position', outbox_position)) FROM stream_offsets) AS rows, r.offsets,
    (SELECT min(o.position) FROM outbox o WHERE (o.xid, o.position) > (r.xid, r.position)) AS waiting
  FROM relay_progress r WHERE r.id = 1`;

/** Checks again and again how far the groups are, until it is stopped. */
export function watchStages({ postgres }: Pick<World, "postgres">) {
  const checks: Check[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const [row] = await postgres.query<{ rows: string; offsets: string; waiting: number | null }>({ text });
      if (row !== undefined) {
        const rows: OffsetRow[] = JSON.parse(row.rows ?? "[]");
        checks.push({ atMs: performance.now(), rows, offsets: JSON.parse(row.offsets), waiting: row.waiting });
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return {
    async stop(): Promise<readonly Check[]> {
      isOver = true;
      await watching;
      return checks;
    },
  };
}

/** Returns when each step had dealt with a record; undefined when it was not seen. */
export function stagesOf(reads: readonly Check[], record: Accepted): StageTimes | undefined {
  const topic = topicOfStream(record.lane);
  const rowOf = ({ rows }: Check, grp: string) =>
    rows.find((row) => row.grp === grp && row.topic === topic && row.partition === record.partition);
  const later = reads.filter(({ atMs }) => atMs >= record.acceptedAtMs);
  const isPassed = (grp: string) => (check: Check) => (rowOf(check, grp)?.next ?? 0) > record.offset;
  const state = later.find(isPassed(STATE_GROUP));
  const activities = later.find(isPassed(ACTIVITIES_GROUP));
  if (state === undefined || activities === undefined) return undefined;
  const position = rowOf(state, STATE_GROUP)?.position ?? 0;
  const published = later.find((read) => read.atMs >= state.atMs && (read.waiting ?? Infinity) > position);
  const history = published && later.find((look) => look.atMs >= published.atMs && hasHistory(look, published.offsets));
  if (published === undefined || history === undefined) return undefined;
  const since = ({ atMs }: Check) => atMs - record.acceptedAtMs;
  return {
    state: since(state),
    activities: since(activities),
    published: since(published),
    history: since(history),
  };
}

function hasHistory({ rows }: Check, offsets: Published["offsets"]): boolean {
  const next = new Map(
    rows.filter(({ grp }) => grp === HISTORY_GROUP).map((row) => [`${row.topic}/${row.partition}`, row.next]),
  );
  return topicsReadBy(HISTORY_GROUP).every((topic) =>
    Object.entries(offsets[topic] ?? {}).every(([partition, to]) => (next.get(`${topic}/${partition}`) ?? 0) >= to),
  );
}

/** Returns a sentence of how long the steps of records took, p50 and p99. */
export function sentenceOfStages(looks: readonly Check[], records: readonly Accepted[]): string {
  const times = records.flatMap((record) => stagesOf(looks, record) ?? []);
  const of = (stage: keyof StageTimes) => {
    const ms = times.map((time) => time[stage]);
    return `${stage} ${quantileOf(ms, 0.5).toFixed(0)}/${quantileOf(ms, 0.99).toFixed(0)}`;
  };
  return `ms from the 202, p50/p99, of ${times.length}: ${(["state", "activities", "published", "history"] as const).map(of).join(", ")}`;
}
