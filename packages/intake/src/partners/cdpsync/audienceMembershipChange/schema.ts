import { z } from "zod";
import { id, listId, lowerCase } from "../../reading.ts";
import { accountEnvelope, accountSample } from "../envelope.ts";

export const TYPE = "audience_membership_change_request";

export const body = z.looseObject({ ...accountEnvelope, user_profiles: z.array(z.unknown()).optional() });
export type Body = z.infer<typeof body>;

/** One audience of a profile, validated by itself. */
export const audience = z.looseObject({
  audience_id: listId,
  audience_name: id,
  action: z.preprocess(lowerCase, z.enum(["add", "delete", "attribute_update"])),
  audience_subscription_settings: z.looseObject({}).optional(),
  user_attributes: z.unknown().optional(),
});
export type Audience = z.infer<typeof audience>;

/** One attribute of an update, validated by itself. Without an action it is set. */
export const writtenAttribute = z.looseObject({
  key: z.union([z.string().refine((key) => key.trim() !== "", "must not be empty"), z.number()]),
  action: z.preprocess(lowerCase, z.enum(["upsert", "delete"]).nullish()),
});

export const sample = {
  type: TYPE,
  id: "52b23d2e-1b7a-4f0a-9f4e-000000000003",
  timestamp_ms: 1_767_998_832_000,
  firehose_version: "2.1.0",
  ...accountSample,
  user_profiles: [
    {
      mpid: "5445343434343443",
      user_identities: [{ type: "email", encoding: "raw", value: "ann@example.com" }],
      device_identities: [],
      partner_identities: [],
      audiences: [
        { audience_id: 70_001, audience_name: "Loyal shoppers", action: "add", audience_subscription_settings: {} },
        {
          audience_id: 70_001,
          audience_name: "Loyal shoppers",
          action: "attribute_update",
          user_attributes: [
            { key: "tier", value: "gold", action: "upsert" },
            { key: "interests", list_value: ["shoes"], action: "upsert" },
            { key: "old_tier", action: "delete" },
          ],
        },
      ],
    },
  ],
};
