import type { Account } from "@headwater/contracts";
import { retryOnConflict } from "@headwater/projection";
import { type PaceAsk, slowDown, type TimedGrant, takeTokens } from "@headwater/stores/pace";
import type { Transaction } from "@headwater/stores/postgres";
import type { SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import type { PreparedSend } from "./prepareWindow.ts";

/** Sends that share their rates, in the order of their claim. */
interface Group {
  readonly ask: PaceAsk;
  readonly sends: readonly PreparedSend[];
}

/**
 * Takes from the rates of transports, domains and messages what a window needs, before its intents. A send that nothing is left for is due again when
 * there may be something; those of other transports go on.
 */
export async function paceWindow(
  account: Account,
  prepared: readonly PreparedSend[],
  { postgres, clock }: Pick<SenderPorts, "postgres" | "clock">,
): Promise<readonly PreparedSend[]> {
  const groups = groupsOf(account, prepared);
  if (groups.length === 0) return prepared;
  const grants = await retryOnConflict(() => postgres.transaction((transaction) => askAll(transaction, groups)));
  const nowMs = clock.nowMs();
  const until = new Map<PreparedSend, number>();
  for (const [{ sends }, grant] of grants) {
    const granted = grant.kind === "granted" ? grant.granted : 0;
    const waitMs = grant.kind === "granted" ? grant.validForMs : grant.waitMs;
    for (const one of sends.slice(granted)) until.set(one, nowMs + Math.max(1, waitMs));
  }
  return prepared.map((one) => {
    const due = until.get(one);
    return due === undefined ? one : { ...one, outcome: { kind: "hold", reason: "rate", until: due } };
  });
}

/** One transaction for all groups, in an order that is the same for all senders. */
async function askAll(transaction: Transaction, groups: readonly Group[]): Promise<[Group, TimedGrant][]> {
  const within = { transaction: <Result>(work: (own: Transaction) => Promise<Result>) => work(transaction) };
  const grants: [Group, TimedGrant][] = [];
  for (const group of groups) grants.push([group, await takeTokens(within, group.ask)]);
  return grants;
}

function groupsOf(account: Account, prepared: readonly PreparedSend[]): Group[] {
  const groups = new Map<string, { ask: PaceAsk; sends: PreparedSend[] }>();
  for (const one of prepared) {
    const { outcome, transport } = one;
    if (outcome.kind !== "composed" || transport === undefined) continue;
    const domain = domainOf(outcome.mail);
    const message = messageRateOf(one);
    const name = `${transport.id} ${domain ?? ""} ${message?.id ?? ""}`;
    const group = groups.get(name) ?? {
      ask: { ...askOf(account, transport, domain), ...(message && { message }) },
      sends: [],
    };
    group.sends.push(one);
    groups.set(name, group);
  }
  const inOrder = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([, { ask, sends }]) => ({ ask: { ...ask, count: sends.length }, sends }));
}

function askOf({ number }: Account, { id, rates }: OpenTransport, domain: string | undefined): PaceAsk {
  return { account: number, transport: id, rates, count: 0, ...(domain !== undefined && { domain }) };
}

/** Returns the rate of a send's message, if it has one of its own; tests do not wait for it. */
function messageRateOf({ send, wanted }: PreparedSend): PaceAsk["message"] {
  const perMinute = wanted?.message.perMinute;
  return perMinute === undefined || send.kind === "t" ? undefined : { id: send.message, perMinute };
}

/** Returns the domain of an email's recipient; undefined for other channels. */
function domainOf({ channel, address }: { readonly channel: string; readonly address: string }): string | undefined {
  return channel === "email" ? address.slice(address.lastIndexOf("@") + 1).toLowerCase() : undefined;
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
