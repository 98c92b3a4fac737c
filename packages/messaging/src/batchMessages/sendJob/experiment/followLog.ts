import { behindWatermark } from "@headwater/analytics/exports/waiting";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { followStreamWatermark, takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { offsetsOfEnds, readLogEnds } from "@headwater/postgres/streams/logEnds";
import type { LogPosition } from "../progress.ts";

type Ports = Pick<JobPorts, "highWatermarks" | "postgres">;

/**
 * Follows everything that was sent, opened, clicked or bought by now on its way to ClickHouse: what senders wrote leaves the outbox, then
 * `state` reads the log as it ends then, then the groups behind it write what it stored.
 * @param at undefined at the beginning. @returns the position to go on with, or `passed` when all is there.
 */
export async function followLog(
  at: LogPosition | undefined,
  nowMs: number,
  ports: Ports,
): Promise<LogPosition | "passed"> {
  const { postgres, highWatermarks } = ports;
  let position: LogPosition = at ?? { kind: "outbox", marks: await postgres.transaction(takeStreamWatermark) };
  if (position.kind === "outbox") {
    const marks = await followStreamWatermark(postgres, position.marks);
    if (marks !== "passed") return { kind: "outbox", marks };
    position = { kind: "log", offsets: offsetsOfEnds(await readLogEnds(postgres, highWatermarks)) };
  }
  if (position.kind === "log") {
    if ((await behindWatermark(postgres, position, nowMs)) !== undefined) return position;
    position = { kind: "stored", marks: await postgres.transaction(takeStreamWatermark) };
  }
  const marks = await followStreamWatermark(postgres, position.marks);
  return marks === "passed" ? "passed" : { kind: "stored", marks };
}
