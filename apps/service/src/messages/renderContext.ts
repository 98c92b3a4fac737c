import type { Account, MessageDataSource } from "@headwater/contracts";
import { toTimestamp } from "@headwater/contracts";
import { linkBaseOf, type MessageContext, previewLinks } from "@headwater/messaging";
import { messageDataOf } from "@headwater/projection";
import { readShown } from "../contacts/getContact/handler.ts";
import type { RoutePorts } from "../ports.ts";

export interface RenderedFor {
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly account: Account;
  readonly message: Readonly<Record<string, unknown>>;
  /** Sources of the records that it shows. */
  readonly sources: readonly MessageDataSource[];
  /** Key of the domain that its links begin with. */
  readonly vanityDomainKey?: string | undefined;
}

export type ContextPorts = Pick<RoutePorts, "attributeRules" | "clock" | "postgres" | "trackingUrl">;

/** Gathers what a message may say of a contact. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function renderContext(
  { contact, account, message, sources, vanityDomainKey }: RenderedFor,
  ports: ContextPorts,
): Promise<MessageContext> {
  const { number, shown } = await readShown(contact, account, ports);
  const nowMs = ports.clock.nowMs();
  const dataOf = await messageDataOf(ports.postgres, sources, { account, contacts: [number], nowMs });
  const { id, name, settings } = account;
  const { timezone, currency, messaging } = settings;
  return {
    contact: shown,
    mergeData: {},
    data: dataOf(number),
    message,
    account: { id, name, timezone, currency },
    linkParameters: messaging.linkParameters,
    links: previewLinks(linkBaseOf({ trackingUrl: ports.trackingUrl, settings: messaging, vanityDomainKey })),
    now: toTimestamp(nowMs),
  };
}
