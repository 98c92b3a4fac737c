import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import type { DkimKey } from "../../compose/dkim.ts";
import type { Handover } from "../../frozen/handover.ts";
import type { TransportRates } from "../../pace/limits.ts";
import { readDefaultTransport, type StoredTransport, transports } from "../../transports/postgres.ts";

/** A transport that is ready to be used. */
export interface OpenTransport {
  readonly id: string;
  readonly type: StoredTransport["type"];
  /** Time of its last change, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly handover: Handover;
  readonly dkim: readonly DkimKey[];
  readonly rates: TransportRates;
  /** Pattern of the envelope's sender with `{token}`. */
  readonly returnPath?: string;
  /** Domains that it sends from; absent: any. */
  readonly fromDomains?: readonly string[];
}

/** Opens transports as they are stored, and their secrets; undefined when no key opens these. */
export type OpenTransports = (
  transport: StoredTransport,
  account: Account,
) => Omit<OpenTransport, "id" | "type" | "updatedAt"> | undefined;

export interface Handovers {
  /** Returns the transport of a message; undefined when there is none, it is disabled, or no key opens its secrets. */
  of(
    account: Account,
    message: { readonly channel: string; readonly transportId: string | null },
  ): Promise<OpenTransport | undefined>;
  close(): Promise<void>;
}

/** Transports that a process keeps open; the one that was not used for the longest time is closed first. */
const STORED_MAX = 512;
const IDLE_MS = 600_000;

interface Stored {
  readonly updatedAt: number;
  /** Monotonic time of its last use. */
  readonly usedAtMs: number;
  /** Undefined for one that cannot be opened: keys change at a restart alone. */
  readonly transport: OpenTransport | undefined;
}

export interface HandoverLimits {
  readonly keptMax: number;
  readonly idleMs: number;
}

/** Keeps transports open from one window to the next, opens those again that were changed, and closes those that are not used. */
export function createHandovers(
  session: Session,
  open: OpenTransports,
  { keptMax: storedMax, idleMs }: HandoverLimits = { keptMax: STORED_MAX, idleMs: IDLE_MS },
): Handovers {
  /** The one that was used last stands at the end. */
  const existing = new Map<string, Stored>();
  const closing = new Set<Promise<void>>();
  // What is under way there may hang for minutes: nobody waits for it before the end.
  const closeSoon = ({ transport }: Stored) => {
    if (transport === undefined) return;
    const closed = transport.handover.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const openStored = (stored: StoredTransport, account: Account): OpenTransport | undefined => {
    const { id, type, updatedAt } = stored;
    const opened = open(stored, account);
    return opened && { id, type, updatedAt, ...opened };
  };
  const closeUnused = (nowMs: number) => {
    for (const [key, one] of existing) {
      if (existing.size <= storedMax && nowMs - one.usedAtMs < idleMs) return;
      existing.delete(key);
      closeSoon(one);
    }
  };
  return {
    async of(account, { channel, transportId }) {
      const stored =
        transportId === null
          ? await readDefaultTransport(session, account.number, channel)
          : await transports.read(session, { account: account.number, key: transportId });
      if (stored === undefined || !stored.enabled) return undefined;
      const key = `${account.number}/${stored.id}`;
      const known = existing.get(key);
      const isCurrent = known?.updatedAt === stored.updatedAt;
      const transport = isCurrent ? known.transport : openStored(stored, account);
      if (known !== undefined && !isCurrent) closeSoon(known);
      const usedAtMs = performance.now();
      existing.delete(key);
      existing.set(key, { updatedAt: stored.updatedAt, usedAtMs, transport });
      closeUnused(usedAtMs);
      return transport;
    },
    async close() {
      [...existing.values()].forEach(closeSoon);
      existing.clear();
      await Promise.all(closing);
    },
  };
}
