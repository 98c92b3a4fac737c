import type { Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { activityBody, activityWarnings } from "../activityBody.ts";
import { logActivity } from "./handler.ts";
import { loggedAnswer, loggedExample, requestExample } from "./schema.ts";

const BODY_BYTES_MAX = 256 * 1024;

export function createContactactivity(ports: WritePorts & Pick<ServicePorts, "logger" | "producer">): Route {
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
    body: activityBody,
    warnsOf: activityWarnings,
    bodyBytesMax: BODY_BYTES_MAX,
    requestExample,
    handler: ({ body, once, receivedAtMs }) => logActivity({ body, once, receivedAtMs }, ports),
  });
}
