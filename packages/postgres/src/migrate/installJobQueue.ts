import type { Logger } from "@headwater/kernel";
import { PgBoss } from "pg-boss";
import { QUEUE_SCHEMA, QUEUES } from "./queueNames.ts";

/** A worker that shows no sign of life for so long has lost its job to another. */
const HEARTBEAT_SECONDS = 10;
/** The library's greatest. A job that takes longer is begun again by the next worker where its last step left it. */
const EXPIRE_SECONDS = 86_400;
const STORED_WAITING_SECONDS = 60 * 86_400;
const STORED_SECONDS = 86_400;
/** Limit of takeovers, which is never met: the runner decides which jobs have failed for good. */
const RETRIES_MAX = 1_000_000;

/** Makes the library's tables, or brings them up to date, and the queues that all workers share. */
export async function installJobQueue({
  url,
  logger,
}: {
  readonly url: string;
  readonly logger: Logger;
}): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: "headwater-migrate",
    schema: QUEUE_SCHEMA,
    max: 1,
    supervise: false,
    schedule: false,
  });
  boss.on("error", (error) => logger.warn({ err: error }, "pg-boss error during installation"));
  await boss.start();
  try {
    const options = {
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      retentionSeconds: STORED_WAITING_SECONDS,
      deleteAfterSeconds: STORED_SECONDS,
      retryLimit: RETRIES_MAX,
      retryDelay: 1,
    };
    for (const queue of QUEUES) {
      if ((await boss.getQueue(queue)) === null) await boss.createQueue(queue, { ...options, notify: true });
      else await boss.updateQueue(queue, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
