import { checkHttpEnvironment, httpEnvironment } from "@headwater/http";
import { type Environment, LOG_LEVELS, loadConfig } from "@headwater/kernel";
import type { MailboxAddress } from "@headwater/messaging/tracker/mail/mailboxProcess";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const IMAPS_PORT = 993;
const IMAP_PORT = 143;

const schema = z
  .object({
    ...httpEnvironment,
    ...kafkaEnvironment,
    HEADWATER_PORT: httpEnvironment.HEADWATER_PORT.default(8450),
    HEADWATER_OPERATIONS_PORT: httpEnvironment.HEADWATER_OPERATIONS_PORT.default(8443),
    KAFKA_BROKERS: z.string().transform((list) => list.split(",").map((broker) => broker.trim())),
    SCHEMA_REGISTRY_URL: z.url(),
    /** Asked by mail that comes in alone: clicks, opens and unsubscribes go on without it. */
    POSTGRES_URL: z.string().min(1),
    /** Port at which reports, complaints and unsubscribes come in by SMTP. */
    HEADWATER_MAIL_PORT: z.coerce.number().int().min(0).max(65_535).default(8451),
    /** Name of the host in DNS, with which it greets. */
    HEADWATER_MAIL_NAME: z.string().min(1).max(255).optional(),
    /** Comma list of addresses that are registered with feedback loops. */
    HEADWATER_COMPLAINT_ADDRESSES: z
      .string()
      .default("")
      .transform((list) => list.split(",").map((address) => address.trim().toLowerCase())),
    /** A mailbox that is read instead of, or next to, the listener: `imaps://user@host:993/INBOX`. */
    HEADWATER_MAILBOX_URL: z.string().transform(toMailbox).optional(),
    HEADWATER_MAILBOX_PASSWORD_FILE: z.string().optional(),
    /** Time between two polls of the mailbox. */
    HEADWATER_MAILBOX_POLL_SECONDS: z.coerce.number().min(1).max(3_600).default(30),
    /** Tokens are made and opened under keys that are derived from those of the file. */
    HEADWATER_SETTINGS_KEY_FILE: z.string(),
    /** Address that links of messages begin with. */
    HEADWATER_TRACKING_URL: z.url().default("http://127.0.0.1:8450"),
    HEADWATER_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(5),
    LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  })
  .superRefine(checkHttpEnvironment)
  .superRefine(({ HEADWATER_MAILBOX_URL: url, HEADWATER_MAILBOX_PASSWORD_FILE: file }, context) => {
    if ((url === undefined) === (file === undefined)) return;
    const path = [url === undefined ? "HEADWATER_MAILBOX_URL" : "HEADWATER_MAILBOX_PASSWORD_FILE"];
    context.addIssue({ code: "custom", path, message: "is required by another variable" });
  });

/** Reads the address of a mailbox; its password stands in a file. */
function toMailbox(text: string, context: z.RefinementCtx): Omit<MailboxAddress, "password"> {
  const url = URL.parse(text);
  const isMailbox = url !== null && /^imaps?:$/.test(url.protocol) && url.username !== "" && url.password === "";
  if (!isMailbox) {
    context.addIssue({ code: "custom", message: "is not an address like imaps://user@host:993/INBOX" });
    return z.NEVER;
  }
  const secure = url.protocol === "imaps:";
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port === "" ? (secure ? IMAPS_PORT : IMAP_PORT) : url.port),
    user: decodeURIComponent(url.username),
    folder: decodeURIComponent(url.pathname.slice(1)) || "INBOX",
  };
}

export type TrackerConfig = z.output<typeof schema>;

/** @throws HeadwaterError `CONFIG_INVALID` that names every wrong variable. */
export function readConfig(env: Environment): TrackerConfig {
  return loadConfig(schema, env);
}
