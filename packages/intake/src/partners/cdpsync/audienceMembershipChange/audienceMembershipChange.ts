import { defineEndpoint } from "../../endpoint.ts";
import { answerTo, bodyKey, messageStatuses } from "../envelope.ts";
import { map } from "./map.ts";
import { body, sample, TYPE } from "./schema.ts";

export const audienceMembershipChange = defineEndpoint({
  partner: "cdpsync",
  name: "audienceMembershipChange",
  path: "/api/cdpsync/audienceMembershipChange",
  summary: "Adds profiles to the lists of audiences, removes them, and writes attributes from audiences.",
  auth: bodyKey,
  statuses: messageStatuses,
  wireType: TYPE,
  body,
  sample,
  sampleAnswer: {
    ...answerTo(sample, "audience_membership_change_response", { nowMs: sample.timestamp_ms }),
    suspend_subscription: false,
  },
  map,
});
