import { ClientError, type ErrorDetail } from "./clientError.ts";

/** A member the API did not know and ignored. */
export interface Warning {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string | undefined;
}

/** The item is in the log. */
export interface Accepted {
  readonly requestId: string;
  /** Receipt of the whole request; follows its records to their end. */
  readonly receipt: string;
  /** The item's position in its request, as a receipt's rejections name it. */
  readonly index: number;
  readonly warnings: readonly Warning[];
}

export type Verdict =
  | { readonly kind: "accepted"; readonly accepted: Accepted }
  | { readonly kind: "rejected"; readonly error: ClientError };

type Members = Readonly<Record<string, unknown>>;

/** An answer's body as it came; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * One verdict an item: of a 202, and of a refusal that validates items. Undefined for a 202 that cannot be read: it is asked
 * for again.
 */
export function readVerdicts(status: number, body: unknown, count: number): readonly Verdict[] | undefined {
  const members = toMembers(body);
  const rejected = rejectedItems(members, status);
  if (status === 202) {
    const { requestId, receipt } = members;
    if (typeof requestId !== "string" || typeof receipt !== "string") return undefined;
    const warnings = warningsByItem(members);
    return each(count, (index) => {
      const error = rejected.get(index);
      if (error !== undefined) return { kind: "rejected", error };
      return { kind: "accepted", accepted: { requestId, receipt, index, warnings: warnings.get(index) ?? [] } };
    });
  }
  const whole = readRefusal(status, body);
  return each(count, (index) => ({ kind: "rejected", error: rejected.get(index) ?? whole }));
}

function each(count: number, verdict: (index: number) => Verdict): Verdict[] {
  return Array.from({ length: count }, (_, index) => verdict(index));
}

/** The error of a whole request, or of the one item in it. */
export function readRefusal(status: number, body: unknown, kind: "refused" | "rejected" = "refused"): ClientError {
  const { code, message, requestId, details } = toMembers(body);
  return new ClientError({
    kind,
    code: text(code) ?? "UNREADABLE_ANSWER",
    message: text(message) ?? `The API answered ${status}.`,
    status,
    requestId: text(requestId),
    details: readDetails(details),
  });
}

/** The code of an error body, if it has one. */
export function codeOf(body: unknown): string | undefined {
  return text(toMembers(body).code);
}

function rejectedItems({ items, requestId }: Members, status: number): Map<number, ClientError> {
  const found = new Map<number, ClientError>();
  for (const item of toList(items)) {
    const { index, status: verdict, code, message, path, details } = toMembers(item);
    if (typeof index !== "number" || verdict !== "rejected") continue;
    const error = new ClientError({
      kind: "rejected",
      code: text(code) ?? "VALIDATION_ERROR",
      message: text(message) ?? "The item is invalid.",
      status,
      path: text(path),
      details: readDetails(details),
      requestId: text(requestId),
    });
    found.set(index, error);
  }
  return found;
}

function warningsByItem({ warnings }: Members): Map<number, Warning[]> {
  const found = new Map<number, Warning[]>();
  for (const warning of toList(warnings)) {
    const { index, path, code, message, suggestion } = toMembers(warning);
    if (typeof index !== "number") continue;
    const read = { path: text(path) ?? "", code: text(code) ?? "", message: text(message) ?? "" };
    const known = found.get(index) ?? [];
    known.push(typeof suggestion === "string" ? { ...read, suggestion } : read);
    found.set(index, known);
  }
  return found;
}

function readDetails(details: unknown): ErrorDetail[] {
  return toList(details).map((input) => {
    const { path, code, message, allowed, line, column } = toMembers(input);
    const position = {
      ...(typeof line === "number" && { line }),
      ...(typeof column === "number" && { column }),
    };
    const detail = { path: text(path) ?? "", code: text(code) ?? "", message: text(message) ?? "", ...position };
    const names = toList(allowed).filter((name) => typeof name === "string");
    return names.length === 0 ? detail : { ...detail, allowed: names };
  });
}

export function toMembers(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
