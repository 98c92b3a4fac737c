import { pointerStep } from "@headwater/kernel";
import { SUGGESTION_LIMITS } from "../limits.ts";
import type { CriteriaContext } from "./context.ts";
import { type FindNearest, indexNames, nearestNames } from "./nearest.ts";

export type CriteriaErrorCode =
  | "unknown_member"
  | "unknown_operator"
  | "unknown_field"
  | "type_mismatch"
  | "bad_value"
  | "unknown_reference"
  | "cycle"
  | "limit_exceeded";

/** One detail of `INVALID_AUDIENCE_RULES`; `path` is a JSON pointer into the criteria object. */
export interface CriteriaError {
  readonly path: string;
  readonly code: CriteriaErrorCode;
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Looks up, in what the account knows, the names that a misspelled one may have meant. */
export type Suggestion = (context: CriteriaContext, among: FindAmong) => readonly string[];

/** Finds names of one kind; `names` are indexed once for all errors of a criteria. */
export type FindAmong = (
  kind: "field" | "list" | "audience" | "supplement" | "channel",
  names: () => Iterable<string>,
) => FindNearest;

/** Collects every error of one criteria object. */
export interface Problems {
  readonly count: number;
  /** Names of fields that the account does not know. */
  readonly unknownFields: readonly string[];
  /** Names of lists, saved audiences and tables that the account does not know. */
  readonly unknownReferences: readonly string[];
  /** Channels that messages are said to be of. */
  readonly unknownChannels: readonly string[];
  add(code: CriteriaErrorCode, path: string, message: string, allowed?: readonly string[]): undefined;
  /** A name that the account does not know. The first twenty get suggestions when the errors are listed. */
  addUnknown(unknown: UnknownName): undefined;
  /** Notes fields and channels that criteria referred to do not find: the caller may find them later. */
  noteUnknown(names: Pick<Problems, "unknownFields" | "unknownChannels">): void;
  /** The errors with their suggestions, which are searched for now. */
  errorsIn(context: CriteriaContext): readonly CriteriaError[];
}

export interface UnknownName {
  readonly code: "unknown_field" | "unknown_reference";
  /** A field or a reference where it is left out, as the code says. */
  readonly kind?: "channel";
  readonly path: string;
  readonly name: string;
  readonly message: string;
  readonly suggest: Suggestion;
}

interface Found {
  readonly error: CriteriaError;
  readonly suggest?: Suggestion;
}

export function createProblems(): Problems {
  const found: Found[] = [];
  const unknownFields: string[] = [];
  const unknownReferences: string[] = [];
  const unknownChannels: string[] = [];
  let suggestions = 0;
  return {
    get count() {
      return found.length;
    },
    unknownFields,
    unknownReferences,
    unknownChannels,
    add(code, path, message, allowed) {
      found.push({ error: allowed === undefined ? { path, code, message } : { path, code, message, allowed } });
      return undefined;
    },
    addUnknown({ code, kind, path, name, message, suggest }) {
      if (kind === "channel") unknownChannels.push(name);
      else (code === "unknown_field" ? unknownFields : unknownReferences).push(name);
      suggestions += 1;
      found.push({ error: { path, code, message }, ...(suggestions <= SUGGESTION_LIMITS.fieldsMax && { suggest }) });
      return undefined;
    },
    noteUnknown(names) {
      unknownFields.push(...names.unknownFields);
      unknownChannels.push(...names.unknownChannels);
    },
    errorsIn: (context) => {
      const among = createFindAmong();
      return found.map(({ error, suggest }) => withSuggestions(error, suggest?.(context, among)));
    },
  };
}

function createFindAmong(): FindAmong {
  const indexes = new Map<string, FindNearest>();
  return (kind, names) => {
    const index = indexes.get(kind) ?? indexNames(names());
    indexes.set(kind, index);
    return index;
  };
}

/** An empty list would say that nothing is allowed. */
function withSuggestions(error: CriteriaError, names: readonly string[] | undefined): CriteriaError {
  return names === undefined || names.length === 0 ? error : { ...error, allowed: names };
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(input: unknown): input is JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/** Appends one reference token to a JSON pointer (RFC 6901). */
export function pointer(path: string, member: string | number): string {
  return `${path}/${pointerStep(String(member))}`;
}

/** Reports members that the shape does not name, each with the members that are allowed, the nearest first. */
export function checkMembers(problems: Problems, node: JsonObject, path: string, allowed: readonly string[]): void {
  for (const member of Object.keys(node)) {
    if (allowed.includes(member)) continue;
    const isVisible = problems.count < SUGGESTION_LIMITS.errorsMax;
    const sorted = isVisible ? nearestFirst(member, allowed) : undefined;
    problems.add("unknown_member", pointer(path, member), `"${shown(member)}" is not allowed here`, sorted);
  }
}

/** The few names that are allowed, those spelled most like `name` first. */
export function nearestFirst(name: string, allowed: readonly string[]): readonly string[] {
  return [...new Set([...nearestNames(name, allowed), ...allowed])];
}

/** A text of the caller shortened for a message. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}
