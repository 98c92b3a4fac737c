import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { activityBody } from "../activityBody.ts";
import { logActivity } from "./handler.ts";
import { loggedAnswer, loggedExample, requestExample } from "./schema.ts";

const BODY_BYTES_MAX = 256 * 1024;

export function createContactactivity(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactactivities",
    operationId: "createContactactivity",
    summary: "Logs an activity of a contact; webhooks of other systems may call it.",
    description:
      "201 says that the log has it. It is applied a moment later, as activities of intake are: the receipt in the header `Headwater-Receipt` follows it, and can be given to reads as `after`. One whose contact is unknown waits a minute for it and is rejected then.",
    tags: ["contactactivities"],
    answers: {
      201: { description: "The log has it.", schema: loggedAnswer, example: loggedExample },
      503: { description: "SERVICE_UNAVAILABLE, with Retry-After: the log is away. Nothing was promised." },
    },
    scope: "contactactivities:write",
    body: activityBody,
    bodyBytesMax: BODY_BYTES_MAX,
    requestExample,
    handler: ({ body, once, receivedAtMs }) => logActivity({ body, once, receivedAtMs }, ports),
  });
}
