import { successShape } from "@headwater/api/answers/success";
import { runLogged } from "@headwater/api/idempotency/runLogged";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { RECEIPT } from "@headwater/api/receipts";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { type ActivityBody, activityBody, activityWarnings } from "../activityBody.ts";
import { toActivityRecord } from "../activityItem.ts";
import { writeActivity } from "../activityLog.ts";

const loggedAnswer = successShape.extend({ id: z.string() });

const loggedExample = { success: true, id: "VbZsDdSkFIHQqU5ESHo7:0:0" };

const requestExample = {
  email: "ada@example.com",
  action: "webinar-attended",
  UID: "webinar-17-ada",
  properties: { webinar: "Streams", minutes: 42 },
};

interface ActivityCall {
  readonly body: ActivityBody;
  readonly once: OnceCall;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
}

/** Writes the activity to the log once for its `Idempotency-Key`. Throws 422, 503 with Kafka or Postgres away. */
function logActivity(
  { body, once, receivedAtMs }: ActivityCall,
  ports: Pick<RoutePorts, "postgres" | "logger" | "producer" | "secret" | "clock">,
): Promise<Answer> {
  const { caller } = once;
  return runLogged(ports, once, async (requestId, isKeyed) => {
    const record = toActivityRecord(body, caller, ports.clock.nowMs());
    const write = { accountId: caller.account.id, requestId, receivedAtMs, isKeyed, record };
    const { id, receipt } = await writeActivity(write, ports);
    const answer = { status: 201, body: { success: true, id }, headers: { [RECEIPT]: receipt } };
    return { ...answer, repeat: answer };
  });
}

const BODY_BYTES_MAX = 256 * 1024;

export function createContactactivity(ports: WritePorts & Pick<RoutePorts, "logger" | "producer">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactactivities",
    operationId: "createContactactivity",
    summary: "Records an activity of a contact. Webhooks of other systems may call it.",
    description:
      "A 201 confirms that the activity is in the log. It is applied asynchronously, as intake activities are: the receipt in the header `Headwater-Receipt` tracks it and can be passed to reads as `after`. An activity of an unknown contact is parked for a minute and then rejected.",
    tags: ["contactactivities"],
    answers: {
      201: { description: "The activity is in the log.", schema: loggedAnswer, example: loggedExample },
      503: { description: "SERVICE_UNAVAILABLE, with Retry-After: the log is unavailable. Nothing was accepted." },
    },
    scope: "contactactivities:write",
    dryRun: "checked",
    body: activityBody,
    warnsOf: activityWarnings,
    bodyBytesMax: BODY_BYTES_MAX,
    requestExample,
    handler: ({ body, once, receivedAtMs }) => logActivity({ body, once, receivedAtMs }, ports),
  });
}
