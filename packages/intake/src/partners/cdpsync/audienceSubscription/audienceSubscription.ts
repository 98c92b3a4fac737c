import { z } from "zod";
import { defineEndpoint } from "../../endpoint.ts";
import type { ListChange } from "../../push.ts";
import { id, idText, listId, lowerCase, present } from "../../reading.ts";
import { accountEnvelope, accountSample, answerTo, bodyKey, messageStatuses } from "../envelope.ts";
import { listOf } from "../list.ts";

const TYPE = "audience_subscription_request";
const ANSWER = "audience_subscription_response";

const kinds = { add: "make", update: "rename", remove: "archive" } as const satisfies Record<
  string,
  ListChange["kind"]
>;

const sample = {
  type: TYPE,
  id: "52b23d2e-1b7a-4f0a-9f4e-000000000004",
  timestamp_ms: 1_767_998_832_000,
  firehose_version: "2.1.0",
  ...accountSample,
  audience_id: 70_001,
  audience_name: "Loyal shoppers",
  audience_description: null,
  action: "add",
  audience_subscription_settings: {},
  previous_audience_subscription_settings: {},
};

export const audienceSubscription = defineEndpoint({
  partner: "cdpsync",
  name: "audienceSubscription",
  path: "/api/cdpsync/audienceSubscription",
  summary: "Creates, renames or archives the list of an audience.",
  auth: bodyKey,
  statuses: messageStatuses,
  wireType: TYPE,
  body: z.looseObject({
    ...accountEnvelope,
    audience_id: listId,
    audience_name: id,
    action: z.preprocess(lowerCase, z.enum(["add", "update", "remove"])),
  }),
  sample,
  sampleAnswer: {
    ...answerTo(sample, ANSWER, { nowMs: sample.timestamp_ms }),
    audience_subscription_settings: { listId: 12 },
  },
  map: (message, context) => ({
    parts: [],
    listChange: {
      kind: kinds[message.action],
      list: listOf(message, message.action === "add"),
      // Of two messages under one id that want different things, neither is the repeat of the other.
      once: JSON.stringify([
        idText(message.id),
        message.action,
        idText(message.audience_id),
        idText(message.audience_name),
      ]),
    },
    answer: ({ listId }) => ({
      ...answerTo(message, ANSWER, context),
      audience_subscription_settings: present({ listId }),
    }),
  }),
});
