import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { HeadwaterError, type Logger } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import {
  accessDeniedIn,
  createLogReader,
  createTopicAdmin,
  type LogReader,
  reasonOf,
  type TopicAdmin,
} from "@headwater/topics";
import { type Addresses, kafkaAccessOf, needed } from "./addresses.ts";

const CALL_TIMEOUT_MS = 15_000;

/** Connections of commands. Each opens what it names, and closes it when the work is done or has failed. */
export interface Connections {
  withPostgres<Result>(work: (postgres: Postgres) => Promise<Result>): Promise<Result>;
  withTopics<Result>(work: (topics: TopicAdmin) => Promise<Result>): Promise<Result>;
  /** Reads the log itself, without a group. */
  withLog<Result>(work: (log: LogReader) => Promise<Result>): Promise<Result>;
  withClickHouse<Result>(work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>;
  pingClickHouse(): Promise<void>;
}

export function connect(addresses: Addresses, logger: Logger): Connections {
  async function withClickHouse<Result>(work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result> {
    const url = needed(addresses, "CLICKHOUSE_URL");
    const clickhouse = createClickHouse({ url, requestTimeoutMs: CALL_TIMEOUT_MS, logger });
    return closing(work(clickhouse), () => clickhouse.close());
  }
  return {
    async withPostgres(work) {
      const postgres = createPostgres({
        url: needed(addresses, "POSTGRES_URL"),
        poolMax: 2,
        applicationName: "headwater-cli",
        statementTimeoutMs: CALL_TIMEOUT_MS,
        logger,
      });
      return closing(work(postgres), () => postgres.close());
    },
    async withTopics(work) {
      const topics = createTopicAdmin({
        ...kafkaAccessOf(addresses),
        clientId: "headwater-cli",
        logger,
        timeoutMs: CALL_TIMEOUT_MS,
        flushMessages: addresses.HEADWATER_TOPIC_FLUSH_MESSAGES,
      });
      return closing(sayingWhy(work(topics)), () => topics.close());
    },
    async withLog(work) {
      const access = kafkaAccessOf(addresses);
      const log = createLogReader({ ...access, clientId: "headwater-cli", logger, timeoutMs: CALL_TIMEOUT_MS });
      return closing(sayingWhy(work(log)), () => log.close());
    },
    withClickHouse,
    pingClickHouse: () => withClickHouse((clickhouse) => clickhouse.ping()),
  };
}

/** Shows operators why Kafka does not answer: its public message says only that it does not, for anybody may read that. */
async function sayingWhy<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const denied = accessDeniedIn(error);
    // A right is granted by a person, as a variable is set: the command ends in the same way.
    if (denied !== undefined)
      throw new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage: denied.message, cause: error });
    const reason = reasonOf(error);
    if (!(error instanceof HeadwaterError) || reason === undefined) throw error;
    const { code, status, message, retriable } = error;
    throw new HeadwaterError({ code, status, publicMessage: `${message} ${reason}`, retriable, cause: error });
  }
}

async function closing<Result>(work: Promise<Result>, close: () => Promise<unknown>): Promise<Result> {
  try {
    return await work;
  } finally {
    await close();
  }
}
