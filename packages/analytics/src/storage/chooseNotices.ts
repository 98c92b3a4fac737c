import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { noticeContext } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { NewNotice } from "@headwater/jobs/queue/jobNotices";
import { type ErrorDetail, safeParse } from "@headwater/kernel";
import { z } from "zod";
import type { RoutePorts } from "../ports.ts";

/** Members of a body that say who is notified when its job has ended. */
export interface WantedNotices {
  readonly confirmEmail?: unknown;
  readonly jobStatusWebhookUrl?: unknown;
}

export interface ChosenNotices {
  readonly notices: readonly NewNotice[];
  /** Members of the 202. */
  readonly warnings: readonly { readonly code: string; readonly path: string; readonly message: string }[];
}

type Account = OnceCall["caller"]["account"];
type NoticePorts = Pick<RoutePorts, "sealer" | "canMail">;

const CHARACTERS_MAX = 2_048;
const webhookUrl = z.string().max(CHARACTERS_MAX).refine(isWebhookUrl);
const email = z.email({ pattern: z.regexes.html5Email }).max(320);

/**
 * Chooses who is notified when an export has ended.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`: a member is wrong, or the account has no `webhookSecret`.
 */
export function chooseNotices(body: WantedNotices, account: Account, ports: NoticePorts): ChosenNotices {
  const { problems, ...chosen } = readNotices(body, account, ports);
  const [first] = problems;
  if (first !== undefined) throw refusal("EXPORT_CONFIGURATION_ERROR", first.message, { details: problems });
  return chosen;
}

/** Reads who is notified when a job has ended, with all that is wrong with it. */
export function readNotices(
  { confirmEmail, jobStatusWebhookUrl }: WantedNotices,
  account: Account,
  { sealer, canMail }: NoticePorts,
): ChosenNotices & { readonly problems: readonly ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const notices: NewNotice[] = [];
  const wrong = (path: string, code: string, message: string) => problems.push({ path, code, message });
  const add = (kind: NewNotice["kind"], target: string, path: string) => {
    if (sealer === undefined) wrong(path, "not_allowed", NO_KEY);
    else notices.push({ kind, target: sealer.seal(target, noticeContext(account.id)) });
  };
  if (isPresent(jobStatusWebhookUrl)) {
    const path = "/jobStatusWebhookUrl";
    const url = safeParse(webhookUrl, jobStatusWebhookUrl);
    if (!url.success) wrong(path, "bad_value", "`jobStatusWebhookUrl` must be an http or https URL.");
    else if (account.settings.webhookSecret === undefined) wrong(path, "not_allowed", NO_SECRET);
    else add("webhook", url.data, path);
  }
  if (!isPresent(confirmEmail)) return { notices, warnings: [], problems };
  const address = safeParse(email, confirmEmail);
  if (!address.success) wrong("/confirmEmail", "bad_value", "`confirmEmail` must be an email address.");
  else if (!canMail) return { notices, warnings: [NO_MAIL], problems };
  else add("email", address.data, "/confirmEmail");
  return { notices, warnings: [], problems };
}

const NO_SECRET = "Set `webhookSecret` in the account's settings first: it signs what is sent.";
const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";
const NO_MAIL = {
  code: "not_available",
  path: "/confirmEmail",
  message: "This installation sends no mail: its operator has not set HEADWATER_SMTP_URL.",
} as const;

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
