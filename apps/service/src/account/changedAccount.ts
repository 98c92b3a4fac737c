import { isDeepStrictEqual } from "node:util";
import { type Account, type AccountSettings, mergePatch } from "@headwater/contracts";
import { atPath, findForbidden, refusal, toDetails } from "@headwater/http";
import { type ErrorDetail, safeParse } from "@headwater/kernel";
import { writtenDocument } from "./accountDocument.ts";
import { withKeptSecrets } from "./keptSecrets.ts";

/** Every process holds the settings of every account it meets. */
const SETTINGS_CHARACTERS_MAX = 65_536;

export interface WrittenAccount {
  readonly name: string;
  readonly settings: AccountSettings;
}

/**
 * The account's document with changes: absent = unchanged, `null` = default, objects go into one another, arrays replace.
 * Throws 422 `VALIDATION_ERROR` with the place of every wrong member, and for what only the operator changes.
 */
export function changedAccount(
  { id, name, settings }: Account,
  changes: Readonly<Record<string, unknown>>,
): WrittenAccount {
  const { accountId = id, ...members } = changes;
  if (accountId !== id) throw refused(operators("/accountId"));
  const forbidden = findForbidden(members);
  if (forbidden !== undefined) throw refused(forbidden);
  const merged = mergePatch({ name, ...settings }, withKeptSecrets(members, settings.partners));
  const parsed = safeParse(writtenDocument, merged);
  if (!parsed.success) throw refused(...toDetails(parsed.error));
  const { name: newName, ...written } = parsed.data;
  if (!isDeepStrictEqual(written.limits, settings.limits)) throw refused(operators("/limits"));
  if (JSON.stringify(written).length > SETTINGS_CHARACTERS_MAX) throw refused(TOO_LONG);
  return { name: newName, settings: written };
}

const TOO_LONG: ErrorDetail = {
  path: "",
  code: "too_long",
  message: `The account settings exceed ${SETTINGS_CHARACTERS_MAX} characters.`,
};

function operators(path: string): ErrorDetail {
  return { path, code: "not_allowed", message: "Only an operator can change this member." };
}

function refused(...details: ErrorDetail[]) {
  const [first] = details;
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  return refusal("VALIDATION_ERROR", `The account update is invalid.${what}`, { details });
}
