import { z } from "zod";
import { defineEndpoint } from "../../endpoint.ts";
import { answerTo, envelope, messageStatuses } from "../envelope.ts";
import { mappedEventTypes } from "../eventTypes.ts";

const TYPE = "module_registration_request";

const accountSettings = [
  {
    type: "text",
    id: "apiKey",
    name: "API key",
    description: "An intake API key of the account.",
    visible: true,
    required: true,
    confidential: true,
  },
];

const encodings = ["raw", "md5", "sha1", "sha256"] as const;
const address = (type: string) => encodings.map((encoding) => ({ type, encoding, required: false }));
/** A hash finds a contact by an address alone. */
const plain = (type: string) => ({ type, encoding: "raw", required: false });

const module = {
  name: "Headwater",
  description: "Marketing data into contacts, activities, lists, carts and orders.",
  version: "1.0.0",
  permissions: {
    user_identities: [...["email", "mobile_number"].flatMap(address), ...["customer", "other"].map(plain)],
    device_identities: [],
    partner_identities: [],
    allow_user_attributes: true,
    allow_consent_state: false,
    allow_access_mpid: false,
  },
  event_processing_registration: {
    account_settings: accountSettings,
    supported_event_types: mappedEventTypes,
    supported_runtime_environments: ["android", "ios", "mobileweb", "unknown"],
    max_data_age_hours: 72,
  },
  audience_processing_registration: {
    account_settings: accountSettings,
    audience_subscription_settings: [
      {
        type: "integer",
        id: "listId",
        name: "List",
        description: "The list that the audience feeds.",
        visible: true,
        required: false,
        confidential: false,
      },
    ],
  },
};

const sample = {
  type: TYPE,
  id: "52b23d2e-1b7a-4f0a-9f4e-000000000001",
  timestamp_ms: 1_767_998_832_000,
  sdk_version: "2.1.0",
};

export const moduleRegistration = defineEndpoint({
  partner: "cdpsync",
  name: "moduleRegistration",
  path: "/api/cdpsync/moduleRegistration",
  summary: "Describes the messages the platform can send and the settings of an account.",
  auth: { kind: "none" },
  statuses: { ...messageStatuses, badShape: 400 },
  wireType: TYPE,
  body: z.looseObject(envelope),
  sample,
  sampleAnswer: { ...answerTo(sample, "module_registration_response", { nowMs: sample.timestamp_ms }), ...module },
  map: (message, context) => ({
    parts: [],
    answer: () => ({ ...answerTo(message, "module_registration_response", context), ...module }),
  }),
});
