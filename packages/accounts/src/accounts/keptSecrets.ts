import { last4Of, type PartnerSettings } from "@headwater/contracts";
import { safeParse } from "@headwater/kernel";
import { z } from "zod";

const view = z.strictObject({ set: z.literal(true), last4: z.string() });
const changes = z.looseObject({ partners: z.looseObject({}) });
const withSecrets = z.looseObject({ secrets: z.array(z.unknown()) });

/**
 * Puts stored secrets back. A caller that writes back what it read sends `{set, last4}` in the place of a secret: it stands for the stored
 * one that ends so. One that stands for none stays as it is, and is refused because it is not text.
 */
export function withStoredSecrets(
  input: Readonly<Record<string, unknown>>,
  { listsync, subscriptionsync }: PartnerSettings,
): Readonly<Record<string, unknown>> {
  const parsed = safeParse(changes, input);
  if (!parsed.success) return input;
  const { partners } = parsed.data;
  return {
    ...input,
    partners: {
      ...partners,
      ...existing("listsync", partners.listsync, listsync.secrets),
      ...existing("subscriptionsync", partners.subscriptionsync, subscriptionsync.secrets),
    },
  };
}

function existing(partner: string, provided: unknown, stored: readonly string[] = []): Record<string, unknown> {
  const parsed = safeParse(withSecrets, provided);
  if (!parsed.success) return {};
  const secrets = parsed.data.secrets.map((secret, index) => {
    const { success, data } = view.safeParse(secret);
    // Two may end alike: the one of its place goes before.
    const inOrder = [...stored.slice(index), ...stored.slice(0, index)];
    return success ? (inOrder.find((one) => last4Of(one) === data.last4) ?? secret) : secret;
  });
  return { [partner]: { ...parsed.data, secrets } };
}
