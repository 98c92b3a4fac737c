import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { type Clock, createCache } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { findTransport } from "../../transports/postgres.ts";
import type { ProviderPorts, ReportingTransport } from "./providerRoute.ts";

const FRESH_MS = 5_000;
const TRANSPORTS_MAX = 1_000;

/** Reads transports with their accounts; a change takes effect within seconds. */
export function createTransportLookup(
  session: Session,
  clock: Pick<Clock, "monotonicMs">,
): ProviderPorts["findTransport"] {
  const cache = createCache<string, ReportingTransport>({ ttlMs: FRESH_MS, entriesMax: TRANSPORTS_MAX, clock });
  return async (id) => {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const transport = await findTransport(session, id);
    const account = transport && (await findAccountByNumber(session, transport.account));
    if (transport === undefined || account === undefined) return undefined;
    const found = { transport, account };
    cache.set(id, found);
    return found;
  };
}
