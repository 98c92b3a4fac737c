import { isDeepStrictEqual } from "node:util";
import {
  type Account,
  type AccountSettings,
  isSealedPath,
  mergePatch,
  wrongCurrency,
  wrongTimezone,
} from "@headwater/contracts";
import { atPath, findForbidden, refusal } from "@headwater/http";
import { type ErrorDetail, type Sealer, safeParse, toDetails } from "@headwater/kernel";
import { writtenDocument } from "./accountDocument.ts";
import { withStoredSecrets } from "./keptSecrets.ts";
import { withoutRetyped, withSealedSecrets } from "./sealedSecrets.ts";

/** Every process holds the settings of every account it meets. */
const SETTINGS_CHARACTERS_MAX = 65_536;

export interface WrittenAccount {
  readonly name: string;
  readonly settings: AccountSettings;
}

/**
 * The account's document with changes: absent = unchanged, `null` = default, objects go into one another, arrays replace.
 * Throws 422 `VALIDATION_ERROR` with the path of every wrong member, and for what only the operator changes.
 */
export function changedAccount(
  { id, name, settings }: Account,
  changes: Readonly<Record<string, unknown>>,
  sealer?: Sealer,
): WrittenAccount {
  const { accountId = id, ...members } = changes;
  if (accountId !== id) throw refused(operators("/accountId"));
  const forbidden = findForbidden(members);
  if (forbidden !== undefined) throw refused(forbidden);
  const sealed = withSealedSecrets(withStoredSecrets(members, settings.partners), { accountId: id, settings, sealer });
  const merged = mergePatch({ name, ...withoutRetyped(settings, members) }, sealed);
  const parsed = safeParse(writtenDocument, merged);
  if (!parsed.success) throw refused(...toDetails(parsed.error).map((detail) => explained(detail, sealer)));
  const { name: newName, ...written } = parsed.data;
  const wrong = [
    wrongTimezone(written.timezone, settings.timezone),
    wrongCurrency(written.currency, settings.currency),
  ];
  const details = wrong.filter((detail) => detail !== undefined);
  if (details.length > 0) throw refused(...details);
  if (!isDeepStrictEqual(written.limits, settings.limits)) throw refused(operators("/limits"));
  if (JSON.stringify(written).length > SETTINGS_CHARACTERS_MAX) throw refused(TOO_LONG);
  return { name: newName, settings: written };
}

const TOO_LONG: ErrorDetail = {
  path: "",
  code: "too_long",
  message: `The account settings exceed ${SETTINGS_CHARACTERS_MAX} characters.`,
};

/** A secret is refused where its sealed form was expected: what is said is about the text that may be given. */
function explained(detail: ErrorDetail, sealer: Sealer | undefined): ErrorDetail {
  if (!isSealedPath(detail.path)) return detail;
  if (sealer === undefined) return { ...detail, code: "not_allowed", message: NO_KEY };
  const message = "The secret must be a text, or `{set, last4}` as it was read.";
  return { ...detail, code: "bad_value", message };
}

const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";

function operators(path: string): ErrorDetail {
  return { path, code: "not_allowed", message: "Only an operator can change this member." };
}

function refused(...details: ErrorDetail[]) {
  const [first] = details;
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  return refusal("VALIDATION_ERROR", `The account update is invalid.${what}`, { details });
}
