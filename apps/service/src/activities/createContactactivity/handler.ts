import { type Answer, runKeyed } from "@headwater/http";
import { createAnswerStore } from "../../idempotency/answerStore.ts";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { RECEIPT } from "../../writing/writeOnce.ts";
import type { ActivityBody } from "../activityBody.ts";
import { toActivityRecord } from "../activityItem.ts";
import { writeActivity } from "../activityLog.ts";

export interface ActivityCall {
  readonly body: ActivityBody;
  readonly once: OnceCall;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
}

/**
 * Writes the activity to the log once for its `Idempotency-Key`: the intent is stored before the log is written and the answer after,
 * and a retry writes under the same record id.
 * Throws 422, 503 with Kafka away, or with Postgres away when there is a key.
 */
export function logActivity(
  { body, once, receivedAtMs }: ActivityCall,
  ports: Pick<ServicePorts, "postgres" | "logger" | "producer" | "secret" | "clock">,
): Promise<Answer> {
  const { key, caller, route } = once;
  const run = async (requestId: string, isKeyed: boolean): Promise<Answer> => {
    const record = toActivityRecord(body, caller, ports.clock.nowMs());
    const write = { accountId: caller.account.id, requestId, receivedAtMs, isKeyed, record };
    const { id, receipt } = await writeActivity(write, ports);
    return { status: 201, body: { success: true, id }, headers: { [RECEIPT]: receipt } };
  };
  if (key === undefined) return run(once.requestId, false);
  return runKeyed(createAnswerStore(ports.postgres), ports.logger, {
    call: { account: caller.account.number, route, key },
    bytes: Buffer.from(JSON.stringify(once.body)),
    requestId: once.requestId,
    run: (requestId) => run(requestId, true),
  });
}
