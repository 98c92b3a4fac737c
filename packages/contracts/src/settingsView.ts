import { showPartners } from "./partnerSettings.ts";
import type { AccountSettings } from "./settings.ts";
import { showSecret, showStorages } from "./storedSecrets.ts";

/** Returns settings as people may see them: of every secret its last four characters. */
export function withoutSecrets({ partners, storage, webhookSecret, ...others }: AccountSettings) {
  return {
    ...others,
    partners: showPartners(partners),
    storage: showStorages(storage),
    ...(webhookSecret !== undefined && { webhookSecret: showSecret(webhookSecret) }),
  };
}
