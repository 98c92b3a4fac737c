import { checkFreeForm, type ErrorDetail, shapes } from "@headwater/contracts";
import { DETAILS_FOUND_MAX, type Sliced, safeParse, toDetails } from "@headwater/kernel";
import type { z } from "zod";
import { PARTS_MAX, type Part, refusedPart } from "./push.ts";
import { isMembers, type Members, textOf, wholeOf, whyNot } from "./reading.ts";

/** Lines of an order or of a cart, those that are right; and the others, each refused alone. */
export interface Lines {
  readonly lines: readonly object[];
  readonly refused: readonly Part[];
  /** Mistakes of the first of the others, at their paths in the push. */
  readonly details: readonly ErrorDetail[];
}

interface Input {
  /** JSON pointer to the lines in the push. */
  readonly path: string;
  readonly lines: readonly unknown[];
  /** A partner's line in our words; absent where they are the same. */
  rename?(line: Members): Members;
  /** Members of ours under the partner's names, in which reasons are told. */
  readonly sentAs?: Readonly<Record<string, string>>;
}

type LineShape = z.ZodObject<z.ZodRawShape>;

export const orderLines = (input: Input): Sliced<Lines> => readLines(shapes.orderItem, input);
export const cartLines = (provided: Input): Sliced<Lines> => readLines(shapes.cartItem, provided);
export const removedLines = (received: Input): Sliced<Lines> => readLines(shapes.cartItemForRemoval, received);

const LINES_PER_STEP = 16;

function* readLines(shape: LineShape, given: Input): Sliced<Lines> {
  const { path, lines } = given;
  const right: object[] = [];
  const refused: Part[] = [];
  const details: ErrorDetail[] = [];
  for (const [index, line] of lines.entries()) {
    if (right.length + refused.length > PARTS_MAX) break;
    const read = readLine(shape, line, given);
    if (read.kind === "line") right.push(read.line);
    else refused.push(refusedPart(`${path}/${index}`, line, read.reason));
    if (read.kind === "wrong" && details.length < DETAILS_FOUND_MAX) details.push(...read.details(index));
    if (index % LINES_PER_STEP === 0) yield;
  }
  return { lines: right, refused, details };
}

type Line =
  | { readonly kind: "line"; readonly line: Members }
  | {
      readonly kind: "wrong";
      readonly reason: string;
      /** Returns what is wrong with it as the line of a push. */
      details(index: number): ErrorDetail[];
    };

function readLine(shape: LineShape, given: unknown, { path, rename = (line) => line, sentAs = {} }: Input): Line {
  if (!isMembers(given)) return wrongLine(path, "The line must be an object.", "type_mismatch");
  const read = safeParse(shape, toLine(shape, rename(given)));
  if (read.success) {
    const reason = wrongNames(read.data, sentAs);
    return reason === undefined ? { kind: "line", line: read.data } : wrongLine(path, reason, "bad_value");
  }
  const issues = read.error.issues.map((issue) => ({ ...issue, path: sentPath(issue.path, sentAs) }));
  const steps = path.split("/").slice(1);
  return {
    kind: "wrong",
    reason: whyNot({ issues }),
    details: (index) =>
      toDetails({ issues: issues.map((issue) => ({ ...issue, path: [...steps, index, ...issue.path] })) }),
  };
}

function wrongLine(path: string, message: string, code: string): Line {
  return { kind: "wrong", reason: message, details: (index) => [{ path: `${path}/${index}`, code, message }] };
}

/** The path of a member as the partner calls it. */
function sentPath([name, ...below]: readonly PropertyKey[], sentAs: Readonly<Record<string, string>>): PropertyKey[] {
  return name === undefined ? [] : [sentAs[String(name)] ?? name, ...below];
}

const texts: ReadonlySet<string> = new Set(["productID", "sku", "name", "category", "manufacturerName"]);

/** Members that a line may have, ids as text and whole numbers as such. */
function toLine({ shape }: LineShape, given: Members): Members {
  const members = Object.keys(shape)
    .map((name) => [name, readMember(name, given[name])] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(members);
}

function readMember(name: string, value: unknown): unknown {
  if (texts.has(name)) return textOf(value) ?? value;
  return name === "qty" ? (wholeOf(value) ?? value) : value;
}

/** Returns why its free-form members are not allowed; undefined when they are. */
function wrongNames({ properties, attr }: Members, sentAs: Readonly<Record<string, string>>): string | undefined {
  const [first] = checkFreeForm({ properties, attr }, "");
  if (first === undefined) return undefined;
  const [, name = "", ...below] = first.path.split("/");
  return `${view([sentAs[name] ?? name, ...below].join("/"))}: ${first.message}`;
}

/** A path in a message: names may be long. */
function view(path: string): string {
  return path.length > PATH_DISPLAYED ? `${path.slice(0, PATH_DISPLAYED).toWellFormed()}…` : path;
}

const PATH_DISPLAYED = 200;
