import { CHANGE_TOPICS, groupsThatWrite, INTAKE_TOPICS, STATE_GROUP } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { type LagPorts, type PartitionLag, readLags } from "@headwater/stores/lags";
import { readOutboxSeconds } from "../../consistency/published.ts";
import type { ServicePorts } from "../../ports.ts";
import { type Asker, readAccountLag } from "../accountLag.ts";

/** The state comes first: what it has not folded is on none of the others' ways. */
const FEEDS_CLICKHOUSE: ReadonlySet<string> = new Set([
  STATE_GROUP,
  ...groupsThatWrite("clickhouse", [...INTAKE_TOPICS, ...CHANGE_TOPICS]),
]);

/** Throws 503 `SERVICE_UNAVAILABLE` with Kafka away: how long the log is then is not known. */
export async function readFreshness(asker: Asker, ports: LagPorts & Pick<ServicePorts, "waits">): Promise<Answer> {
  const reading = readLags(ports);
  const [lags, outbox, account] = await Promise.all([
    reading,
    readOutboxSeconds(ports.postgres),
    readAccountLag(asker, () => reading, ports),
  ]);
  return { status: 200, body: { ...toBody(lags, outbox), account } };
}

/** ClickHouse has what all groups have dealt with, and what the outbox has not held back. */
export function toBody(lags: readonly PartitionLag[], outboxSeconds: number) {
  const streams = Map.groupBy(lags, ({ topic, group }) => `${topic}\n${group}`);
  const data = [...streams.values()].flatMap((partitions) => {
    const [first] = partitions;
    if (first === undefined) return [];
    const records = partitions.reduce((sum, lag) => sum + lag.records, 0);
    return [{ topic: first.topic, group: first.group, records, seconds: greatest(partitions) }];
  });
  const state = greatest(lags.filter(({ group }) => group === STATE_GROUP));
  const stores = greatest(lags.filter(({ group }) => FEEDS_CLICKHOUSE.has(group)));
  return { data, postgres: { seconds: state }, clickhouse: { seconds: Math.max(stores, outboxSeconds) } };
}

function greatest(lags: readonly PartitionLag[]): number {
  return Math.max(0, ...lags.map(({ seconds }) => seconds));
}
