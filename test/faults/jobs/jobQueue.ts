import type { Postgres } from "@headwater/postgres/connection/postgres";

/** Makes the last heartbeats of running jobs old ones: a job of a worker that was killed is another's at its next check. */
export async function ageHeartbeats(postgres: Postgres): Promise<void> {
  await postgres.execute({
    text: "UPDATE job_queue.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE state = 'active'",
  });
}

/** Makes jobs due that wait for their next try. */
export async function setDue(postgres: Postgres): Promise<void> {
  await postgres.execute({
    text: "UPDATE job_queue.job SET start_after = now() WHERE state IN ('created', 'retry') AND start_after > now()",
  });
}
