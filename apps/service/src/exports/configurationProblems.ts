import { nearestNames } from "@headwater/audience";
import { refusal } from "@headwater/http";
import { type ErrorDetail, type HeadwaterError, pointerStep } from "@headwater/kernel";

/** The body of an export as it was sent. */
export type ExportBody = Readonly<Record<string, unknown>>;

/** Collects all that is wrong with the body of an export: nothing is started while a problem is left. */
export interface ConfigurationProblems {
  /** @param path a JSON pointer. */
  add(
    path: string,
    code: string,
    message: string,
    allowed?: readonly string[],
    more?: { readonly earliest: string },
  ): undefined;
  /** A name that is not known, with the nearest ones that are. */
  unknown(path: string, code: "unknown_field" | "unknown_reference", name: string, known: Iterable<string>): undefined;
  /** @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR` when there is any. */
  refuse(): void;
}

const SHOWN_CHARACTERS_MAX = 60;

export function createConfigurationProblems(): ConfigurationProblems {
  const details: ErrorDetail[] = [];
  const add: ConfigurationProblems["add"] = (path, code, message, allowed, more) => {
    details.push({ path, code, message, ...(allowed && { allowed }), ...more });
    return undefined;
  };
  return {
    add,
    unknown: (path, code, name, known) => {
      const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed());
      return add(path, code, `${shown} is unknown.`, meantNames(name, [...known]));
    },
    refuse() {
      if (details.length > 0) throw wrongConfiguration(details);
    },
  };
}

const SUGGESTED_MAX = 3;

/** Names that end in it come first: `color` of `attributes.color`. */
function meantNames(name: string, known: readonly string[]): string[] {
  const longer = known.filter((one) => name !== "" && one.endsWith(`.${name}`));
  return [...new Set([...longer, ...nearestNames(name, known)])].slice(0, SUGGESTED_MAX);
}

export function wrongConfiguration(details: readonly ErrorDetail[]): HeadwaterError {
  const members = details.length === 1 ? "1 member is" : `${details.length} members are`;
  return refusal("EXPORT_CONFIGURATION_ERROR", `${members} not valid; no export was started.`, { details });
}

/** The account is the key's, whatever these say. */
const PASSED_OVER: readonly string[] = ["accountId", "accountID"];

/** Bodies of exports are closed: a misspelled member would be left out in silence. */
export function expectKnown(body: ExportBody, known: readonly string[], problems: ConfigurationProblems): void {
  for (const name of Object.keys(body))
    if (!known.includes(name) && !PASSED_OVER.includes(name))
      problems.unknown(below("", name), "unknown_field", name, known);
}

/** The pointer to a member of what a pointer names. */
export function below(path: string, member: string | number): string {
  return `${path}/${pointerStep(String(member))}`;
}
