import {
  type Account,
  identifierOfChannel,
  identifierRules,
  identifiersInOrder,
  internationalPhone,
} from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { loadIdentifiers } from "@headwater/records/contacts/identifiers";
import type { ProviderEvent } from "../../providerEvents/readProviderEvents.ts";

/** Returns events with the numbers by which the account knows those who wrote. Rejects while the store is away. */
export type NameWriters = (
  events: readonly ProviderEvent[],
  by: { readonly account: Account; readonly channel: string },
) => Promise<readonly ProviderEvent[]>;

/**
 * Creates what reads numbers without `+`, which many providers write: a contact that is stored by the number as it stands keeps it, and any
 * other number that begins with its country is taken in E.164.
 */
export function createWritersNumbers(session: Session): NameWriters {
  return async (events, { account, channel }) => {
    const name = identifierOfChannel(channel);
    if (identifierRules(account.settings).formats.get(name) !== "phone") return events;
    const formsOf = (from: string): string[] => {
      const read = identifiersInOrder(account.settings, { [name]: from }, undefined);
      return read.kind === "ok" ? [...read.identifiers, ...(read.former ?? [])].map(({ value }) => value) : [];
    };
    const bare = events.flatMap(({ type, from = "" }) =>
      type === "incoming" && internationalPhone(from) !== undefined ? formsOf(from) : [],
    );
    const keys = [...new Set(bare)].map((value) => ({ account: account.number, name, value }));
    const known = new Set((await loadIdentifiers(session, keys)).map(({ value }) => value));
    return events.map((event) => {
      const { type, from = "" } = event;
      const number = type === "incoming" ? internationalPhone(from) : undefined;
      const isKnown = formsOf(from).some((form) => known.has(form));
      return number === undefined || isKnown ? event : { ...event, from: number };
    });
  };
}
