import {
  type Account,
  accountSettings,
  defaultSettings,
  secretView,
  storagesView,
  withoutSecrets,
  writtenMessagingSettings,
  writtenTimezone,
} from "@headwater/contracts";
import { z } from "zod";

const NAME_CHARACTERS_MAX = 128;

/** Shape that an account's document must have when it is written. */
export const writtenDocument = accountSettings.extend({
  name: z.string().trim().min(1).max(NAME_CHARACTERS_MAX),
  timezone: writtenTimezone.default("UTC"),
  messaging: writtenMessagingSettings.prefault({}),
});

const secretsView = z.array(secretView).optional();
const { listsync, subscriptionsync } = accountSettings.shape.partners.unwrap().shape;

/** The document as answers show it: of every secret its last four characters. */
export const documentView = writtenDocument.extend({
  accountId: z.string(),
  messaging: accountSettings.shape.messaging,
  storage: storagesView,
  webhookSecret: secretView.optional(),
  partners: accountSettings.shape.partners.unwrap().extend({
    listsync: listsync.unwrap().extend({ secrets: secretsView }),
    subscriptionsync: subscriptionsync.unwrap().extend({ secrets: secretsView }),
  }),
});

/** `accountId`, `name` and settings side by side, without secrets. */
export function showAccount({ id, name, settings }: Account): Record<string, unknown> {
  return { accountId: id, name, ...withoutSecrets(settings) };
}

export const documentExample = {
  ...showAccount({ number: 1, id: "65f0c0ffee65f0c0ffee00aa", name: "shop", settings: defaultSettings }),
  timezone: "Europe/London",
  currency: "GBP",
  storage: {
    lake: {
      type: "s3",
      aws_bucket: "shop-exports",
      aws_region: "eu-west-1",
      aws_access_key_id: "an-access-key-id",
      aws_secret_access_key: { set: true, last4: "wxyz" },
    },
  },
};
