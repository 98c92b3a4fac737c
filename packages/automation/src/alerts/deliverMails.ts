import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import type { SendMail } from "@headwater/jobs/notices/mailer";
import { type Clock, createSlotShares, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import { signingKeys, signMail } from "@headwater/messaging/compose/dkim";
import { mailHeaders } from "@headwater/messaging/compose/mailHeaders";
import type { MailToCompose } from "@headwater/messaging/compose/mailToCompose";
import type { OutgoingMail } from "@headwater/messaging/frozen/handover";
import type { Renderer } from "@headwater/messaging/renderer/createRenderer";
import type { Handovers, OpenTransport } from "@headwater/messaging/sending/transports/handovers";
import { escapeHtml } from "@headwater/messaging/tracker/pages/html";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { claimAlertMails, type DueAlertMail, delayAlertMail, deleteAlertMail } from "./mailRows.ts";

export interface AlertMailPorts {
  readonly postgres: Postgres;
  /** Ways out of the accounts' default transports. */
  readonly handovers: Pick<Handovers, "of">;
  readonly renders: Pick<Renderer, "compose">;
  /** Way out of accounts without a default transport; undefined: the installation has none. */
  readonly sendMail: SendMail | undefined;
  /** Sender of mails where the transport does not say which domain it sends from, as `Name <address>`. */
  readonly from: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onOutcome: (outcome: MailOutcome) => void;
}

/** `refused` is never tried again, nor is `unsent`: there is no way out. */
export const mailOutcomes = ["sent", "retried", "refused", "unsent"] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

const AT_ONCE_MAX = 16;
const ATTEMPT_MS_MAX = 30_000;
/** Longer than an attempt and the store of its outcome take: after a kill the mail is due again then. */
const LEASE_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000] as const;
/** Pauses after the first attempt, the second, and so on; after the last one the mail is given up. */
const PAUSES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS] as const;
/** An SMTP answer from this on is final (RFC 5321, 4.2.1). */
const PERMANENT = 500;

/** Hands over the mails of alerts, each at least once, with one Message-ID for all attempts. */
export function createAlertMails(ports: AlertMailPorts): WorkLoop {
  const deliveries = new MailDeliveries(ports);
  const loop = createWorkLoop({
    work: () => deliveries.startDue(),
    idleMs: CHECK_EVERY_MS,
    minMs: 200,
    maxMs: 10_000,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "delivering mails of alerts failed, retrying"),
  });
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await deliveries.empty();
    },
  };
}

/** Hands over what is due, and returns once every attempt has ended. */
export async function deliverAlertMails(ports: AlertMailPorts): Promise<void> {
  const deliveries = new MailDeliveries(ports);
  while (await deliveries.startDue()) await deliveries.empty();
  await deliveries.empty();
}

/** Deliveries of a process. A server that hangs holds slots of its account, and nothing of the others. */
class MailDeliveries {
  readonly #ports: AlertMailPorts;
  readonly #slots = createSlotShares<number>(AT_ONCE_MAX);
  readonly #running = new Set<Promise<void>>();

  constructor(ports: AlertMailPorts) {
    this.#ports = ports;
  }

  /** Starts what is due and has a slot. @returns whether there may be more. */
  async startDue(): Promise<boolean> {
    const { postgres, clock } = this.#ports;
    const nowMs = clock.nowMs();
    // All of them may be of one account.
    const rowsMax = Math.floor(this.#slots.free / 2);
    if (rowsMax === 0) return false;
    const claim = { nowMs, leaseUntil: nowMs + LEASE_MS, rowsMax, butAccounts: this.#slots.full() };
    const due = await claimAlertMails(postgres, claim);
    for (const mail of due) this.#start(mail);
    return due.length === rowsMax;
  }

  async empty(): Promise<void> {
    await Promise.all(this.#running);
  }

  #start(mail: DueAlertMail): void {
    this.#slots.take(mail.account);
    const running = this.#deliver(mail).finally(() => {
      this.#slots.give(mail.account);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  async #deliver(mail: DueAlertMail): Promise<void> {
    const { postgres, clock, logger, onOutcome } = this.#ports;
    const { account, notice } = mail;
    try {
      const outcome = await attempt(mail, this.#ports);
      const pauseMs = PAUSES_MS[mail.attempts];
      const isOver = outcome !== "retried" || pauseMs === undefined;
      onOutcome(outcome === "retried" && isOver ? "refused" : outcome);
      if (isOver && outcome !== "sent") logger.warn({ account, notice, outcome }, "a mail of an alert was given up");
      if (isOver) await deleteAlertMail(postgres, mail);
      else await delayAlertMail(postgres, mail, clock.nowMs() + pauseMs);
    } catch (error) {
      // Its lease ends, and it is due again. Texts of drivers may hold the address.
      const code = error instanceof Error ? (Reflect.get(error, "code") ?? error.name) : undefined;
      logger.warn({ account, notice, code }, "delivering a mail of an alert failed, retrying");
    }
  }
}

/** Hands a mail over by the account's default transport, else by the server of the installation. */
async function attempt(mail: DueAlertMail, ports: AlertMailPorts): Promise<MailOutcome> {
  const account = await findAccountByNumber(ports.postgres, mail.account);
  if (account === undefined) return "unsent";
  const transport = await ports.handovers.of(account, { channel: "email", transportId: null });
  if (transport !== undefined) return byTransport({ mail, account, transport }, ports);
  return ports.sendMail === undefined ? "unsent" : byServer(mail, account, ports.sendMail);
}

interface Handing {
  readonly mail: DueAlertMail;
  readonly account: Account;
  readonly transport: OpenTransport;
}

async function byTransport({ mail, account, transport }: Handing, ports: AlertMailPorts): Promise<MailOutcome> {
  const outgoing = await compose({ mail, account, transport }, ports);
  if (outgoing === undefined) return "refused";
  const { outcome } = await transport.handover.deliver(outgoing, AbortSignal.timeout(ATTEMPT_MS_MAX));
  switch (outcome.kind) {
    case "sent":
      return "sent";
    case "hard-bounce":
      return "refused";
    // An answer that was lost is tried again as well: two mails are better than none, and both have one Message-ID.
    case "unknown":
    case "deferred":
    case "soft-bounce":
    case "transport-failure":
      return "retried";
  }
}

async function compose(
  { mail, account, transport }: Handing,
  { renders, from, clock }: AlertMailPorts,
): Promise<OutgoingMail | undefined> {
  const { address, subject, body: text } = mail;
  const fromEmail = senderOf(transport, from);
  const headers = { subject, fromEmail, fromDesc: "Headwater" };
  const html = `<pre>${escapeHtml(text)}</pre>`;
  const shared = { mcId: mcIdOf(mail, account), classification: "transactional" } as const;
  const outgoing = { ...shared, channel: "email", address, copies: [], returnPath: fromEmail, headers };
  const content = { "text/html": html, "text/plain": text };
  if (transport.type === "http") {
    const relayed = { headers: mailHeaders({ ...shared, headers }), fromName: headers.fromDesc, attachments: [] };
    return { ...outgoing, content, relayed };
  }
  const keys = transport.dkim;
  const isSigned = signingKeys({ fromEmail, keys }).length > 0;
  // The same to the byte for every attempt.
  const composing: MailToCompose = { ...shared, to: address, headers, html, text, isSigned, nowMs: mail.createdAt };
  const composed = await renders.compose(account.number, composing);
  if (!("bytes" in composed)) return undefined;
  return { ...outgoing, content, raw: await signMail(composed, { fromEmail, keys, nowMs: clock.nowMs() }) };
}

/** Returns the sender of mails: at a domain that the transport sends from, or signs for. */
function senderOf({ fromDomains, dkim }: OpenTransport, from: string): string {
  const domain = fromDomains?.[0] ?? dkim[0]?.domain;
  return domain === undefined ? addressIn(from) : `alerts@${domain}`;
}

/** Returns the address of `Name <address>`, or of an address alone. */
function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}

async function byServer(mail: DueAlertMail, account: Account, sendMail: SendMail): Promise<MailOutcome> {
  const { address: to, subject, body: text } = mail;
  try {
    await sendMail({
      to,
      subject,
      text,
      messageId: `<${mcIdOf(mail, account).replaceAll(/[^\w.-]/g, ".")}@headwater.invalid>`,
    });
    return "sent";
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : undefined;
    return typeof code === "number" && code >= PERMANENT ? "refused" : "retried";
  }
}

/** Names a mail: the same for all its attempts. */
function mcIdOf({ notice, address }: DueAlertMail, { id }: Account): string {
  return `${id}:alert:${notice}:${address}`;
}
