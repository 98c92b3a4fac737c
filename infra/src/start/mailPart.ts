import { join } from "node:path";
import { BoundedLog } from "../boundedLog.ts";
import type { OnProgress } from "../definition.ts";
import type { Guard } from "../guard.ts";
import { answersOk } from "../http.ts";
import { fetchMailServer, planMailServer } from "../mailServer.ts";
import { portOffsets, type WantedPort } from "../ports.ts";
import { SupervisedProcess } from "../supervisedProcess.ts";

/** Name of the mail server in logs, health and `npm run status`. */
export const MAIL = "mail";

export interface MailPartOptions {
  readonly home: string;
  readonly cache: string;
  readonly portBase: number;
  readonly guard: Guard;
  readonly onProgress: OnProgress;
  /** Ends the fetching when Headwater is stopped meanwhile. */
  readonly signal: AbortSignal;
}

/** Addresses of the demo's mail server. */
export interface MailAddresses {
  /** Its HTTP interface: `GET /api/user/<address>/messages` lists the mails of a mailbox. */
  readonly mailUrl: string;
  readonly mailSmtpUrl: string;
}

export function mailAddresses(portBase: number): MailAddresses {
  return {
    mailUrl: `http://127.0.0.1:${portBase + portOffsets.mail}`,
    mailSmtpUrl: `smtp://127.0.0.1:${portBase + portOffsets.mailSmtp}`,
  };
}

export function mailPorts(portBase: number): WantedPort[] {
  return [
    { port: portBase + portOffsets.mailSmtp, use: "the mail server" },
    { port: portBase + portOffsets.mailImap, use: "the mail server's IMAP" },
    { port: portBase + portOffsets.mail, use: "the mail server's HTTP" },
  ];
}

/** Makes the mail server that the demo sends to: GreenMail, which keeps what it gets in memory until it stops. */
export async function prepareMail(options: MailPartOptions): Promise<SupervisedProcess> {
  const { home, cache, portBase, guard, onProgress, signal } = options;
  await fetchMailServer(cache, onProgress, signal);
  const [smtp, imap, api] = [portOffsets.mailSmtp, portOffsets.mailImap, portOffsets.mail];
  const ports = { smtp: portBase + smtp, imap: portBase + imap, api: portBase + api };
  return new SupervisedProcess({
    name: MAIL,
    plan: async () => planMailServer(cache, ports),
    isReady: (ready) => answersOk(`${mailAddresses(portBase).mailUrl}/api/service/readiness`, ready),
    log: new BoundedLog(join(home, "logs", `${MAIL}.log`)),
    guard,
    autoRestart: true,
  });
}
