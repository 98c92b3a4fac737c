import { CHANGE_TOPICS, INTAKE_TOPICS, INTENTS_TOPIC } from "@headwater/contracts";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { createTopicAdmin } from "@headwater/topics";
import { Kafka, logLevel } from "kafkajs";
import { type Ground, quiet } from "../harness/services.ts";
import { until } from "../harness/until.ts";

const WAIT = { timeoutMs: 60_000 };
/** Change events that `history` has not read when their topics go. */
const UNREAD = 10;
const FORMER = "headwater_former";
const EMPTY = "headwater_empty";

/** Deletes the topics of change events and intents while ClickHouse is away, so that events are lost, and creates them again. */
export async function recreateChangeTopics({ services, postgres }: Ground): Promise<void> {
  const { clickhouse } = services.services;
  if (clickhouse === undefined) throw new Error("ClickHouse was not started here");
  await clickhouse.stop();
  const before = await publishedChanges(postgres);
  const isPublished = async () =>
    (await publishedChanges(postgres)) >= before + UNREAD ? undefined : "no change events are published";
  await until(isPublished, WAIT);
  await recreateTopics(services.kafkaBrokers, [...CHANGE_TOPICS, INTENTS_TOPIC]);
  await clickhouse.start();
}

/** Deletes the topics of intake and creates them again. */
export async function recreateIntakeTopics({ services }: Ground): Promise<void> {
  await recreateTopics(services.kafkaBrokers, INTAKE_TOPICS);
}

async function recreateTopics(kafkaBrokers: string, names: readonly string[]): Promise<void> {
  const brokers = kafkaBrokers.split(",");
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [...names] });
  const areGone = async () => {
    const left = (await admin.listTopics()).filter((name) => names.includes(name));
    return left.length === 0 ? undefined : `${left} are there`;
  };
  await until(areGone, WAIT);
  await admin.disconnect();
  const topics = createTopicAdmin({ brokers, clientId: "disasters", logger: quiet });
  await topics.apply();
  await topics.close();
}

async function publishedChanges(postgres: Ground["postgres"]): Promise<number> {
  const text = `SELECT COALESCE(sum(o.value::bigint), 0)::bigint AS published
    FROM relay_progress p, json_each(p.offsets) t, json_each_text(t.value) o WHERE t.key LIKE 'changes.%'`;
  const [row] = await postgres.query<{ published: number }>({ text });
  return Number(row?.published);
}

/** Puts an empty, migrated database in the place of the present one, in the same cluster. @returns what puts the former one back. */
export async function replaceDatabase({ services }: Ground): Promise<() => Promise<void>> {
  const { pathname } = new URL(services.postgresUrl);
  const name = pathname.slice(1);
  const replace = (statements: readonly string[]) => inMaintenance(services.postgresUrl, name, statements);
  await replace([`CREATE DATABASE ${EMPTY}`]);
  const empty = new URL(services.postgresUrl);
  empty.pathname = `/${EMPTY}`;
  await migratePostgres({ url: empty.href, logger: quiet });
  await replace([`ALTER DATABASE ${name} RENAME TO ${FORMER}`, `ALTER DATABASE ${EMPTY} RENAME TO ${name}`]);
  return () => replace([`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${FORMER} RENAME TO ${name}`]);
}

/** Runs statements that nobody else's connection to the database may be in the way of. */
async function inMaintenance(url: string, name: string, statements: readonly string[]): Promise<void> {
  const other = new URL(url);
  other.pathname = "/postgres";
  const options = { poolMax: 1, applicationName: "disasters", statementTimeoutMs: 20_000, logger: quiet };
  const maintenance = createPostgres({ url: other.href, ...options });
  try {
    for (const text of statements) {
      const run = async () => {
        const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1";
        await maintenance.query({ text: end }, [name]);
        return maintenance.execute({ text }).then(
          () => undefined,
          (error: unknown) => String(error),
        );
      };
      await until(run, { timeoutMs: 30_000, everyMs: 5 });
    }
  } finally {
    await maintenance.close();
  }
}
