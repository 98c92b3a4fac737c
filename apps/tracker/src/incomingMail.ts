import { readFileSync } from "node:fs";
import { httpOptionsOf } from "@headwater/http";
import type { Part, Process } from "@headwater/kernel";
import { findReportedSend } from "@headwater/messaging/sends/reportedSend";
import type { IncomingReader } from "@headwater/messaging/tracker/incoming/createIncomingReader";
import { createMailboxLoop, type MailboxOptions } from "@headwater/messaging/tracker/mail/mailbox";
import { createMailIntake, type MailIntakeOptions } from "@headwater/messaging/tracker/mail/mailIntake";
import { createMailServer } from "@headwater/messaging/tracker/mail/mailServer";
import { createRefusalNotes } from "@headwater/messaging/tracker/mail/noteRefusal";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { TrackerConfig } from "./config.ts";

export interface IncomingMailPorts
  extends Pick<Process, "logger" | "metrics" | "clock">,
    Pick<MailIntakeOptions, "tokens" | "producer"> {
  readonly config: TrackerConfig;
  readonly postgres: Postgres;
  readonly reader: IncomingReader;
  readonly onMailboxEnded: NonNullable<MailboxOptions["onEnded"]>;
}

/** Returns the ways by which mail comes back, by name: the SMTP server, and the mailbox where one is configured. */
export function createIncomingMail(ports: IncomingMailPorts): Readonly<Record<string, Part>> {
  const { config, logger, metrics, clock, postgres, reader, tokens, producer } = ports;
  const intake = createMailIntake({
    reader,
    tokens,
    producer,
    findSend: (token) => findReportedSend(postgres, token),
    noteRefusal: createRefusalNotes({ postgres, logger, nowMs: clock.nowMs }),
    complaintAddresses: config.HEADWATER_COMPLAINT_ADDRESSES,
    metrics,
    nowMs: clock.nowMs,
  });
  const { tls } = httpOptionsOf(config);
  const server = createMailServer({
    logger,
    name: config.HEADWATER_MAIL_NAME,
    ...(tls && { tls: { key: readFileSync(tls.keyFile), cert: readFileSync(tls.certFile) } }),
    isKnown: intake.isKnown,
    take: intake.smtp,
  });
  const mail: Part = {
    start: () => server.start({ host: config.HEADWATER_HOST, port: config.HEADWATER_MAIL_PORT }),
    stop: () => server.stop(),
  };
  if (config.HEADWATER_MAILBOX_URL === undefined) return { mail };
  const password = readFileSync(config.HEADWATER_MAILBOX_PASSWORD_FILE ?? "", "utf8").trimEnd();
  const mailbox = createMailboxLoop({
    mailbox: { ...config.HEADWATER_MAILBOX_URL, password },
    take: intake.imap,
    pollEveryMs: 1_000 * config.HEADWATER_MAILBOX_POLL_SECONDS,
    onEnded: ports.onMailboxEnded,
    logger,
  });
  return { mail, mailbox };
}
