import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import {
  type Account,
  asciiDomain,
  canonicalChannel,
  canonicalIdentifier,
  identifierOfChannel,
  isDomain,
  isPlaceholder,
  mailDomain,
  toTimestamp,
} from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { z } from "zod";
import type { StoredSuppression, SuppressionTarget } from "./suppressions.ts";

/** Reasons that a person gives; the others come from what happened. */
export const suppressionReasons = ["manual", "hard-bounce", "complaint", "erased-unsubscribed"] as const;

export const channelName = storableText(128).min(1).overwrite(canonicalChannel);
export const addressText = storableText(512).min(1);

/** A suppression as answers show it. */
export const suppressionShape = z.strictObject({
  id: z.string(),
  channel: z.string(),
  address: z.string().optional().describe("Absent once its contact was erased."),
  domain: z.string().optional().describe("In ASCII, as DNS has it."),
  reason: z.enum(suppressionReasons),
  note: z.string().optional(),
  ct: z.string(),
});

export const SUPPRESSION_MEMBERS = Object.keys(suppressionShape.shape);

export function suppressionRecord(stored: StoredSuppression): Record<string, unknown> {
  const { id, channel, target, shown: view, reason, note, createdAt } = stored;
  return {
    ...{ id, channel },
    ...(view !== null && { [target]: view }),
    reason,
    ...(note !== null && { note }),
    ct: toTimestamp(createdAt),
  };
}

/** Returns the canonical form of an address of a channel; undefined for one that has none. */
export function addressIn({ settings }: Account, channel: string, address: string): string | undefined {
  const name = identifierOfChannel(channel);
  const canonical = canonicalIdentifier(settings, name, address);
  if (canonical === undefined || isPlaceholder({ name, value: canonical })) return undefined;
  return channel === "email" && mailDomain(canonical) === undefined ? undefined : canonical;
}

/** The same. Throws 422 `VALIDATION_ERROR` for one that has none. */
function canonicalAddress(account: Account, channel: string, address: string): string {
  const canonical = addressIn(account, channel, address);
  if (canonical === undefined) {
    throw invalid("/address", "bad_value", "`address` is not an address of this channel.");
  }
  return canonical;
}

/** Members of a body that say what is suppressed. */
interface TargetInput {
  readonly channel: string;
  readonly address?: string | null | undefined;
  readonly domain?: string | null | undefined;
}

/** Returns what a body suppresses. Throws 422 `VALIDATION_ERROR`. */
export function targetOf(account: Account, { channel, address = null, domain = null }: TargetInput): SuppressionTarget {
  if (address !== null && domain === null) {
    return { kind: "address", value: canonicalAddress(account, channel, address) };
  }
  if (address !== null) throw invalid("/domain", "not_allowed", "`address` and `domain` cannot be given together.");
  if (domain === null) throw invalid("/address", "required", "`address` or `domain` is required.");
  const value = asciiDomain(domain.trim());
  if (channel !== "email") throw invalid("/domain", "not_allowed", "Only email has domains.");
  if (!isDomain(value)) throw invalid("/domain", "bad_value", "`domain` is not a domain.");
  return { kind: "domain", value };
}

function invalid(path: string, code: string, message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code, message }] });
}

export const suppressionWritten = successShape.extend({ id: z.string() });
export const writtenExample = { success: true, id: "65f0c0ffee65f0c0ffee00e1" };

export const suppressionExample = {
  id: writtenExample.id,
  ...{ channel: "email", address: "grace@example.com", reason: "manual", note: "asked by phone" },
  ct: "2026-01-09T22:47:12.000Z",
};
