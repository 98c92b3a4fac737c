import { createTransport } from "nodemailer";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that receivers drop repeats. */
  readonly messageId: string;
}

/** Sends one mail. @throws what the server or the network refuses. */
export type SendMail = (mail: Mail) => Promise<void>;

const TIMEOUT_MS = 15_000;

/** @param url the installation's SMTP server, which its operator named: its address may be private. */
export function createMailer({ url, from }: { readonly url: string; readonly from: string }): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (mail) => {
    await transport.sendMail({ ...mail, from });
  };
}
