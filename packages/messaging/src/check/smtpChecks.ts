import { type Outbound, privateAddressRefused } from "@headwater/kernel";
import { answerText } from "../handover/answers.ts";
import { type SessionAnswer, SmtpSession } from "../handover/smtp/smtpSession.ts";
import { type SmtpTarget, timeoutsOf } from "../handover/smtp/smtpTarget.ts";
import { failed, passed, type TransportCheck } from "./transportCheck.ts";

const STEP_MS = 8_000;

export interface SmtpCheckPorts {
  readonly outbound: Pick<Outbound, "connect">;
  /** PEM of an authority to trust, instead of the system's. */
  readonly authority?: string;
  /** Longest time of the handshake, and of the login; default 8 s. */
  readonly stepMs?: number;
}

/** Connects to a server as a send would, signs in, and leaves. */
export async function smtpChecks(
  target: SmtpTarget,
  { stepMs = STEP_MS, ...ports }: SmtpCheckPorts,
): Promise<TransportCheck[]> {
  const timeouts = { ...timeoutsOf(target), handshakeMs: stepMs, loginMs: stepMs };
  const opened = await SmtpSession.open(target, { ...ports, timeouts });
  if (!(opened instanceof SmtpSession)) return stopped(target, opened);
  const { isSecure } = opened;
  opened.quit();
  const login = target.username === undefined ? "No login is set." : "The server takes the login.";
  return [passed("connection", "The server answers."), tlsOf(isSecure), passed("login", login)];
}

function tlsOf(isSecure: boolean): TransportCheck {
  return passed(
    "tls",
    isSecure ? "The connection is encrypted." : "The connection is not encrypted; none is asked for.",
  );
}

function stopped(target: SmtpTarget, answer: SessionAnswer): TransportCheck[] {
  const { step, code, tlsFault, isSecure = false, problem } = answer;
  const said = saidBy(answer);
  if (tlsFault !== undefined) {
    const why = code === undefined ? tlsFault : `The connection to the server cannot be encrypted${said}.`;
    return [passed("connection", "The server answers."), failed("tls", why), failed("login", "Not tried without TLS.")];
  }
  if (step === "AUTH" || problem === "credentials") {
    const why = `The server refuses the login${said}.`;
    return [passed("connection", "The server answers."), tlsOf(isSecure), failed("login", why)];
  }
  const isPrivate = problem === "private-address";
  const why = isPrivate ? privateAddressRefused.transport : `No dialogue with the server${said}.`;
  const never = "Not tried without a connection.";
  const login = target.username === undefined ? passed("login", "No login is set.") : failed("login", never);
  return [failed("connection", why), failed("tls", never), login];
}

/** Returns the server's words, if there are any. */
function saidBy({ code, text = "" }: SessionAnswer): string {
  return code === undefined ? "" : `: ${code} ${answerText(text)}`.trimEnd();
}
