import type { Metrics } from "@headwater/kernel";
import { type ArrivedMail, type MailPorts, mailOutcomes, takeMail } from "./takeMail.ts";
import { tokenInAddress } from "./tokenInAddress.ts";

export interface MailIntakeOptions extends MailPorts {
  readonly metrics: Metrics;
  /** Addresses that feedback loops send complaints to, in lower case. */
  readonly complaintAddresses: readonly string[];
}

/** `set-aside`: the mail ended the process that read it, and is not to be read again. */
export type TakenMail = "taken" | "set-aside";

/** The ways by which mail comes in; what it reports is on the log once a call resolves. */
export interface MailIntake {
  /** True for an address with a token of ours, and for those of feedback loops. */
  isKnown(address: string): boolean;
  smtp(mail: ArrivedMail): Promise<TakenMail>;
  imap(mail: ArrivedMail): Promise<TakenMail>;
}

/** Counts what comes in by each way and becomes of it. */
export function createMailIntake({ metrics, complaintAddresses, ...ports }: MailIntakeOptions): MailIntake {
  const complaints = new Set(complaintAddresses.filter((address) => address !== ""));
  const mails = metrics.counter({
    name: "headwater_tracker_mails_total",
    help: "Mails that came in, by what they were.",
    labels: ["protocol", "outcome"],
    values: { protocol: ["smtp", "imap"], outcome: mailOutcomes },
  });
  const take = (protocol: "smtp" | "imap") => async (mail: ArrivedMail) => {
    const outcomes = await takeMail(ports, mail);
    for (const outcome of outcomes) mails.inc({ protocol, outcome });
    return outcomes.includes("set-aside") ? "set-aside" : "taken";
  };
  return {
    isKnown: (address) => complaints.has(address.toLowerCase()) || tokenInAddress(ports.tokens, address) !== undefined,
    smtp: take("smtp"),
    imap: take("imap"),
  };
}
