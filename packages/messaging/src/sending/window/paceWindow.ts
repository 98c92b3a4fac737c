import { type Account, mailDomain } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type PaceGroup, slowDown, takeTokens } from "../../pace/pace.ts";
import { shareTransports } from "../../transports/postgres.ts";
import type { SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import type { PreparedSend } from "./prepareWindow.ts";

/** Sends that share their rates, in the order of their claim. */
interface Group {
  readonly group: PaceGroup;
  readonly sends: readonly PreparedSend[];
}

/** Answer of the rates to a send: its turn, by the monotonic clock, or the time after which there may be one. */
export type Turn =
  | { readonly kind: "turn"; readonly atMs: number }
  | { readonly kind: "wait"; readonly waitMs: number };

/** Tokens of a window, in the transaction that stores its intents. */
export interface WindowTokens {
  /** Postgres' time at which they were taken; undefined where nothing is limited. */
  readonly atMs: number | undefined;
  /** Takes the next token that a send may have. */
  take(one: PreparedSend): Turn;
  /** Counts those of sends that were intended. */
  store(isIntended: (one: PreparedSend) => boolean): Promise<void>;
}

/**
 * Locks what the rates of a window's transport, domains and messages have left. They are locked behind the contacts, and the transport before
 * them: whoever deletes it deletes these rows, too.
 */
export async function takeWindowTokens(
  transaction: Transaction,
  account: Account,
  prepared: readonly PreparedSend[],
): Promise<WindowTokens> {
  const groups = groupsOf(prepared);
  const { transport } = groups[0]?.sends[0] ?? {};
  if (transport === undefined) return NO_TOKENS;
  const { id, rates } = transport;
  await shareTransports(transaction, account.number, [id]);
  const ask = { account: account.number, transport: id, rates, groups: groups.map(({ group }) => group) };
  const tokens = await takeTokens(transaction, ask);
  const readAtMs = performance.now();
  const turns = groups.map(({ sends }) => ({ sends, taken: new Set<PreparedSend>() }));
  const positionOf = new Map(turns.flatMap(({ sends }, index) => sends.map((one) => [one, index] as const)));
  return {
    atMs: tokens.atMs,
    take(one) {
      const position = positionOf.get(one) ?? -1;
      const [grant, turn] = [tokens.grants[position], turns[position]];
      if (grant === undefined || turn === undefined) throw new Error("a send that was not made asks for its turn");
      const inMs = grant.turnsInMs[turn.taken.size];
      if (inMs === undefined) return { kind: "wait", waitMs: grant.waitMs };
      turn.taken.add(one);
      return { kind: "turn", atMs: readAtMs + inMs };
    },
    // A turn before one that was used counts as used.
    store: (isIntended) => tokens.store(turns.map(({ taken }) => [...taken].findLastIndex(isIntended) + 1)),
  };
}

/** Tokens of a window that has nothing to hand over. */
const NO_TOKENS: WindowTokens = {
  atMs: undefined,
  take: () => ({ kind: "wait", waitMs: 0 }),
  store: async () => undefined,
};

function groupsOf(prepared: readonly PreparedSend[]): Group[] {
  const groups = new Map<string, { group: Omit<PaceGroup, "count">; sends: PreparedSend[] }>();
  for (const one of prepared) {
    if (one.outcome.kind !== "composed" || one.transport === undefined) continue;
    const domain = domainOf(one.outcome.mail);
    const message = messageRateOf(one);
    const name = `${domain ?? ""} ${message?.id ?? ""}`;
    const group = { ...(domain !== undefined && { domain }), ...(message && { message }) };
    const known = groups.get(name) ?? { group, sends: [] };
    known.sends.push(one);
    groups.set(name, known);
  }
  return [...groups.values()].map(({ group, sends }) => ({ group: { ...group, count: sends.length }, sends }));
}

/** Returns the rate of a send's message, if it has one of its own; tests do not wait for it. */
function messageRateOf({ send, wanted }: PreparedSend): PaceGroup["message"] {
  const perMinute = wanted?.message.perMinute;
  return perMinute === undefined || send.kind === "t" ? undefined : { id: send.message, perMinute };
}

/** Returns the domain of an email's recipient; undefined for other channels. */
function domainOf({ channel, address }: { readonly channel: string; readonly address: string }): string | undefined {
  return channel === "email" ? mailDomain(address) : undefined;
}

/** A mail whose server asked for fewer. */
export interface SlowedMail {
  readonly transport: OpenTransport;
  readonly mail: { readonly channel: string; readonly address: string };
}

/** Halves the rate to each domain whose servers asked for it, once for a whole window. */
export async function slowDownWindow(
  { number }: Account,
  slowed: readonly SlowedMail[],
  { postgres, logger }: Pick<SenderPorts, "postgres" | "logger">,
): Promise<void> {
  const asked = new Map<string, Parameters<typeof slowDown>[1]>();
  for (const { transport, mail } of slowed) {
    const domain = domainOf(mail);
    if (domain === undefined) continue;
    asked.set(`${transport.id} ${domain}`, {
      account: number,
      transport: transport.id,
      rates: transport.rates,
      domain,
    });
  }
  for (const ask of asked.values()) {
    await slowDown(postgres, ask).catch((error: unknown) => logger.warn({ err: error }, "halving the rate failed"));
  }
}
