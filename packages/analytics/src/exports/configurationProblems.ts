import { invalidRules, timelessRules } from "@headwater/audiences/audiences/checkCriteria";
import { type CriteriaNode, nearestNames } from "@headwater/criteria";
import { refusal } from "@headwater/http";
import {
  DETAILS_FOUND_MAX,
  type ErrorDetail,
  type HeadwaterError,
  nameOfPointerStep,
  pointerStep,
} from "@headwater/kernel";
import type { ClosedBody } from "../closedBody.ts";

/** Criteria of an export that are valid, and the JSON pointer to them. */
export interface CheckedCriteria {
  readonly criteria: CriteriaNode;
  readonly at: string;
}

/** Collects all that is wrong with the body of an export: nothing is started while a problem is left. */
export interface ConfigurationProblems {
  /** Criteria without a problem, whose names may still be ones that the account never had. */
  readonly checked: readonly CheckedCriteria[];
  addChecked(checked: CheckedCriteria): void;
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
  /** Adds errors of criteria, with their paths. */
  addRules(details: readonly ErrorDetail[]): undefined;
  /** Notes that the instant which criteria are checked for could not be read: errors that depend on it are left out. */
  noteUnreadMoment(): void;
  /** @throws HeadwaterError 422 when there is any: `INVALID_AUDIENCE_RULES` when only criteria are wrong, else `EXPORT_CONFIGURATION_ERROR` with all. */
  refuse(): void;
}

const DISPLAYED_CHARACTERS_MAX = 60;

export function createConfigurationProblems(): ConfigurationProblems {
  const details: ErrorDetail[] = [];
  const rules: ErrorDetail[] = [];
  const checked: CheckedCriteria[] = [];
  let isInstantRead = true;
  const add: ConfigurationProblems["add"] = (path, code, message, allowed, more) => {
    details.push({ path, code, message, ...(allowed && { allowed }), ...more });
    return undefined;
  };
  return {
    checked,
    addChecked: (one) => void checked.push(one),
    add,
    unknown: (path, code, name, known) => {
      // No answer shows so many, and searching for names that were meant takes time.
      if (details.length >= DETAILS_FOUND_MAX) return add(path, code, "The name is unknown.");
      const { message, allowed } = describeUnknown(name, [...known]);
      return add(path, code, message, allowed);
    },
    addRules(errors) {
      rules.push(...errors);
      return undefined;
    },
    noteUnreadMoment() {
      isInstantRead = false;
    },
    refuse() {
      if (details.length > 0) throw wrongConfiguration([...details, ...(isInstantRead ? rules : timelessRules(rules))]);
      if (rules.length > 0) throw invalidRules(rules);
    },
  };
}

/** Returns what to say of a name that is not known, with the names that it may have meant. */
export function describeUnknown(
  name: string,
  known: readonly string[],
): { readonly message: string; readonly allowed: readonly string[] | undefined } {
  const view = JSON.stringify(name.slice(0, DISPLAYED_CHARACTERS_MAX).toWellFormed());
  const meant = meantNames(name, known);
  return { message: `${view} is unknown.`, allowed: meant.length > 0 ? meant : undefined };
}

const SUGGESTED_MAX = 3;
/** Limit of the names that are shown whole, the nearest first. */
const SHORT_LIST_MAX = 10;

/** Names that end in it come first: `color` of `attributes.color`; those that it is a word of, last: `channel` of `selected_channel`. */
function meantNames(name: string, known: readonly string[]): readonly string[] {
  const longer = known.filter((one) => name !== "" && one.endsWith(`.${name}`));
  const wordOf = known.filter((one) => wordsOf(one).includes(name.toLowerCase()));
  const meant = [...new Set([...longer, ...nearestNames(name, known), ...wordOf])].slice(0, SUGGESTED_MAX);
  return known.length <= SHORT_LIST_MAX ? [...new Set([...meant, ...known])] : meant;
}

/** Returns the words of a name: `selected_channel`, `columnHeaders` and `audience-key` have two each. */
function wordsOf(name: string): string[] {
  return name.split(/[^A-Za-z0-9]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
}

export function wrongConfiguration(details: readonly ErrorDetail[]): HeadwaterError {
  const count = details.length < DETAILS_FOUND_MAX ? String(details.length) : `More than ${DETAILS_FOUND_MAX - 1}`;
  const members = details.length === 1 ? "1 member is" : `${count} members are`;
  return refusal("EXPORT_CONFIGURATION_ERROR", `${members} not valid; no export was started.`, { details });
}

/** Adds the validation errors of a body: unknown members first, each with the nearest of the names that are known. */
export function addBodyProblems(body: ClosedBody<unknown>, problems: ConfigurationProblems): void {
  const isUnknown = ({ code, path }: ErrorDetail) => code === "unknown_field" && path.lastIndexOf("/") === 0;
  for (const { path } of body.problems.filter(isUnknown))
    problems.unknown(path, "unknown_field", nameOfPointerStep(path.slice(1)), body.names);
  for (const detail of body.problems) {
    if (!isUnknown(detail)) problems.add(detail.path, detail.code, detail.message, detail.allowed);
  }
}

/** The pointer to a member of what a pointer names. */
export function below(path: string, member: string | number): string {
  return `${path}/${pointerStep(String(member))}`;
}
