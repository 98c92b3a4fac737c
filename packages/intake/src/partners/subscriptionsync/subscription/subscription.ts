import { defineEndpoint } from "../../endpoint.ts";
import { subscriptionHash } from "../hash.ts";
import { map } from "./map.ts";
import { body, sample, sentBody } from "./schema.ts";

export const subscription = defineEndpoint({
  partner: "subscriptionsync",
  name: "subscription",
  path: "/api/subscriptionsync/subscription/{accountId}",
  summary:
    "Receives the current state of a subscription: records an activity of its contact and a record in the table subscriptions.",
  auth: { kind: "signature", ...subscriptionHash },
  statuses: { accepted: 200, badShape: 422, badJson: 422, wrongType: "UNSUPPORTED_MEDIA_TYPE" },
  body,
  sentBody,
  sample,
  map,
});
