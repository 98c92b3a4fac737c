import {
  type Account,
  type AccountSettings,
  accountSettings,
  isSealedPath,
  withoutSecrets,
  writtenMessagingSettings,
  writtenTimezone,
  wrongCurrency,
  wrongTimezone,
} from "@headwater/contracts";
import { type ErrorDetail, safeParse, toDetails } from "@headwater/kernel";
import { z } from "zod";
import { validationError } from "../failure.ts";
import type { Row } from "../output/formats.ts";

const NAME_CHARACTERS_MAX = 128;

const document = accountSettings.extend({
  name: z.string().trim().min(1).max(NAME_CHARACTERS_MAX),
  timezone: writtenTimezone.default("UTC"),
  messaging: writtenMessagingSettings.prefault({}),
});

/** Writable part of an account. */
export interface Written {
  readonly name: string;
  readonly settings: AccountSettings;
}

/** The account's one document as it is edited, secrets in plain: id, name and settings side by side. */
export function toDocument({ id, name, settings }: Pick<Account, "id" | "name"> & { readonly settings: object }): Row {
  return { accountId: id, name, ...settings };
}

/** The document as it is shown: of secrets their last four characters. */
export function toView(account: Pick<Account, "id" | "name" | "settings">): Row {
  return toDocument({ ...account, settings: withoutSecrets(account.settings) });
}

/**
 * Reads a document as the account would have it; members it lacks get their defaults, the account's id may stand in it.
 * @param before the account as it is, which may keep a zone and a currency that are not ones.
 * @throws HeadwaterError VALIDATION_ERROR with a detail for each wrong member.
 */
export function parseDocument(value: unknown, before?: Pick<Account, "settings">): Written {
  const parsed = safeParse(document, withoutId(value));
  if (!parsed.success) {
    throw validationError("The account document is invalid:", toDetails(parsed.error).map(explained));
  }
  const { name, ...settings } = parsed.data;
  const wrong = [
    wrongTimezone(settings.timezone, before?.settings.timezone),
    wrongCurrency(settings.currency, before?.settings.currency),
  ].filter((detail) => detail !== undefined);
  if (wrong.length > 0) throw validationError("The account document is invalid:", wrong);
  return { name, settings };
}

/** A secret is kept sealed under a key that the service holds and this program does not: it is told where the text may be given. */
function explained(detail: ErrorDetail): ErrorDetail {
  if (!isSealedPath(detail.path)) return detail;
  const message =
    "The service seals this secret: set it with PUT /v2/account (headwater api), which takes it as a text.";
  return { ...detail, code: "not_allowed", message };
}

function withoutId(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { accountId: _, ...rest } = value;
  return rest;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
