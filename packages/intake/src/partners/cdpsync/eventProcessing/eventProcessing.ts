import { defineEndpoint } from "../../endpoint.ts";
import { answerTo, bodyKey, messageStatuses } from "../envelope.ts";
import { map } from "./map.ts";
import { body, sample, TYPE } from "./schema.ts";

export const eventProcessing = defineEndpoint({
  partner: "cdpsync",
  name: "eventProcessing",
  path: "/api/cdpsync/eventProcessing",
  summary: "Takes the events of one profile: activities, orders, carts and attributes.",
  auth: bodyKey,
  statuses: messageStatuses,
  wireType: TYPE,
  body,
  sample,
  sampleAnswer: answerTo(sample, "event_processing_response", { nowMs: sample.timestamp_ms }),
  map,
});
