import type { Account } from "@headwater/contracts";
import { toTimestamp } from "@headwater/contracts";
import { readContact } from "../contacts/getContact/handler.ts";
import type { RoutePorts } from "../ports.ts";

export interface RenderedFor {
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly account: Account;
  readonly message: Readonly<Record<string, unknown>>;
}

export type ContextPorts = Pick<RoutePorts, "attributeRules" | "clock" | "postgres" | "trackingUrl">;

/** Returns the links of a message that nobody got: they lead to no contact. */
export function previewLinks(trackingUrl: string) {
  const base = trackingUrl.replace(/\/+$/, "");
  return {
    unsubscribe: `${base}/t/u/preview`,
    preferences: `${base}/t/u/preview?preferences`,
    view: `${base}/t/v/preview`,
  };
}

/** Gathers what a message may say of a contact. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function renderContext(
  { contact, account, message }: RenderedFor,
  ports: ContextPorts,
): Promise<Record<string, unknown>> {
  const { body } = await readContact(contact, account, ports);
  const { id, name, settings } = account;
  const { timezone, currency } = settings;
  return {
    contact: body,
    mergeData: {},
    extVars: {},
    data: {},
    message,
    account: { id, name, timezone, currency },
    links: previewLinks(ports.trackingUrl),
    now: toTimestamp(ports.clock.nowMs()),
  };
}
