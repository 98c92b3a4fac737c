import { domainToASCII } from "node:url";
import { privateAddressRefused } from "@headwater/kernel";
import type { Delivered, Handover, OutgoingMail } from "../../frozen/handover.ts";
import { classifyAnswer } from "../../outcomes/classifyAnswer.ts";
import { answerText, ours } from "../answers.ts";
import { Slots } from "../slots.ts";
import { turnOf } from "../turnOf.ts";
import { SmtpPool, type Taken } from "./smtpPool.ts";
import { type SessionAnswer, type SmtpMail, type SmtpPorts, SmtpSession } from "./smtpSession.ts";
import { type SmtpTarget, type SmtpTimeouts, timeoutsOf } from "./smtpTarget.ts";

/** RFC 5321, 4.1.2, with the dots that mailboxes really have. */
const MAILBOX = /^(?<local>"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^\s\p{Cc}"(),:;<>@[\\\]]+)@(?<domain>[^@]+)$/u;

const LITERAL = /^\[[\da-z:.-]+\]$/i;

const HOST = /^[\da-z_-]+(?:\.[\da-z_-]+)*$/i;

const CONNECTIONS = 5;
const MAILS_PER_CONNECTION = 100;

/** Outcomes of what the server was not asked for. */
const problems: Readonly<Record<NonNullable<SessionAnswer["problem"]>, Delivered>> = {
  "private-address": ours(privateAddressRefused.transport),
  credentials: ours("The server cannot be signed in to with these credentials."),
  sender: ours("The return path cannot stand in an envelope."),
  recipient: { outcome: { kind: "hard-bounce" }, text: "The address cannot stand in an envelope." },
  "too-large": {
    outcome: { kind: "soft-bounce", bounce: "size" },
    text: "The mail is larger than the server takes.",
  },
};

/** Hands mails over to an SMTP server, each on a connection that it has for itself meanwhile. */
export function createSmtpHandover(
  target: SmtpTarget,
  { timeouts = timeoutsOf(target), ...ports }: Omit<SmtpPorts, "timeouts"> & { readonly timeouts?: SmtpTimeouts },
): Handover {
  const pool = new SmtpPool({
    mailsPerConnection: MAILS_PER_CONNECTION,
    idleMs: timeouts.idleMs,
    open: () => SmtpSession.open(target, { ...ports, timeouts }),
  });
  const slots = new Slots(target.connections ?? CONNECTIONS);
  return {
    async deliver(mail, signal) {
      const { raw } = mail;
      if (raw === undefined) return ours("An SMTP transport carries email alone.");
      const to = envelopeAddress(mail.address);
      if (to === undefined) return problems.recipient;
      const answer = await slots.run(() => deliverBy(pool, mailOf(mail, { to, raw, signal }), signal), turnOf(mail));
      return deliveredOf(answer);
    },
    async close() {
      await slots.empty();
      pool.close();
    },
  };
}

interface Enveloping {
  readonly to: string;
  readonly raw: Buffer;
  readonly signal: AbortSignal;
}

/** Copies that cannot stand in an envelope are left out: their refusal counts for nothing. */
function mailOf(mail: OutgoingMail, { to, raw, signal }: Enveloping): SmtpMail {
  const { copies, returnPath, isClaimed = () => true } = mail;
  const from = envelopeAddress(returnPath) ?? returnPath;
  const taken = copies.flatMap((copy) => envelopeAddress(copy) ?? []);
  return { from, to, copies: taken, raw, isClaimed: () => !signal.aborted && isClaimed() };
}

/** Sends by a connection that is open. Where the server had closed it meanwhile, a fresh one is tried at once. */
async function deliverBy(pool: SmtpPool, mail: SmtpMail, signal: AbortSignal, fresh = false): Promise<SessionAnswer> {
  if (!mail.isClaimed()) return { step: "CONN" };
  const taken = await unlessAborted(pool, pool.take({ fresh }), signal);
  if (!("session" in taken)) return taken;
  const { session, isReused } = taken;
  const giveUp = () => session.close();
  signal.addEventListener("abort", giveUp);
  const answer = await session.send(mail);
  if (session.isAlive && answer.code !== undefined && answer.step !== "DOT") await session.reset();
  signal.removeEventListener("abort", giveUp);
  pool.giveBack(session);
  const wasClosed = isReused && answer.code === undefined && !answer.dotMayBeOut && answer.problem === undefined;
  return wasClosed ? deliverBy(pool, mail, signal, true) : answer;
}

/** Waits for a connection no longer than it is wanted: one that opens later waits for another mail. */
async function unlessAborted(
  pool: SmtpPool,
  taking: Promise<Taken | SessionAnswer>,
  signal: AbortSignal,
): Promise<Taken | SessionAnswer> {
  const aborted = Promise.withResolvers<SessionAnswer>();
  const giveUp = () => aborted.resolve({ step: "CONN" });
  signal.addEventListener("abort", giveUp);
  const taken = await Promise.race([taking, aborted.promise]);
  signal.removeEventListener("abort", giveUp);
  if (!("session" in taken) && signal.aborted) {
    void taking.then((late) => "session" in late && pool.giveBack(late.session));
  }
  return taken;
}

function deliveredOf(answer: SessionAnswer): Delivered {
  const { code, problem, tlsFault, text = code === undefined ? tlsFault : undefined } = answer;
  if (problem !== undefined) return problems[problem];
  const said = {
    ...(code !== undefined && { code }),
    ...(text !== undefined && text !== "" && { text: answerText(text) }),
  };
  return { outcome: classifyAnswer(answer), ...said };
}

/**
 * Returns an address as it stands in an envelope: its domain in ASCII, for servers without SMTPUTF8 take no other. Undefined for what is no
 * mailbox.
 */
export function envelopeAddress(address: string): string | undefined {
  const { local, domain = "" } = MAILBOX.exec(address)?.groups ?? {};
  if (local === undefined) return undefined;
  if (LITERAL.test(domain)) return address;
  const host = domainToASCII(domain);
  return HOST.test(host) ? `${local}@${host}` : undefined;
}
