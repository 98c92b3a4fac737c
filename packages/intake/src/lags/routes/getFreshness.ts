import { waitForAfter } from "@headwater/api/consistency/after";
import { readOutboxSeconds } from "@headwater/api/consistency/published";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { CHANGE_TOPICS, groupsThatWrite, INTAKE_TOPICS, STATE_GROUP } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { type Asker, readAccountLag } from "../accountLag.ts";
import { type LagPorts, type PartitionLag, readLags } from "../lags.ts";

const seconds = z.number().nonnegative();
const store = z.strictObject({ seconds });

const query = z.strictObject(afterQuery);
const freshnessAnswer = z.strictObject({
  data: z.array(
    z.strictObject({ topic: z.string(), group: z.string(), records: z.number().int().nonnegative(), seconds }),
  ),
  postgres: store,
  clickhouse: store,
  account: z.strictObject({ pending: z.number().int().nonnegative(), seconds }),
});
const freshnessExample = {
  data: [
    { topic: "intake.records", group: "state", records: 0, seconds: 0 },
    { topic: "intake.records", group: "activities", records: 120, seconds: 0.31 },
  ],
  postgres: { seconds: 0 },
  clickhouse: { seconds: 0.31 },
  account: { pending: 12, seconds: 0.31 },
};

/** The state comes first: what it has not folded is on none of the others' ways. */
const FEEDS_CLICKHOUSE: ReadonlySet<string> = new Set([
  STATE_GROUP,
  ...groupsThatWrite("clickhouse", [...INTAKE_TOPICS, ...CHANGE_TOPICS]),
]);

/** Throws 503 `SERVICE_UNAVAILABLE` with Kafka away: how long the log is then is not known. */
async function readFreshness(asker: Asker, ports: LagPorts & Pick<RoutePorts, "waits">): Promise<Answer> {
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

export function getFreshness(ports: AfterPorts & Pick<RoutePorts, "highWatermarks" | "postgres" | "sampleLog">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/freshness",
    operationId: "getFreshness",
    summary: "Returns the lag of each consumer group, both stores and the account, in records and seconds.",
    description:
      "`account.pending` counts the account's own records that have no end yet, parked ones included; `account.seconds` is the greatest lag of the partitions that hold them.",
    tags: ["operations"],
    answers: { 200: { description: "The current lags.", schema: freshnessAnswer, example: freshnessExample } },
    auth: "basic",
    scope: "freshness:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readFreshness({ account: caller.account.number, signal }, ports);
    },
  });
}
