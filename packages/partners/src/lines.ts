import { checkFreeForm, shapes } from "@headwater/contracts";
import { type Sliced, safeParse, toDetail } from "@headwater/kernel";
import type { z } from "zod";
import { PARTS_MAX, type Part, refusedPart } from "./push.ts";
import { isMembers, type Members, textOf, wholeOf } from "./reading.ts";

/** Lines of an order or of a cart, those that are right; and the others, each refused alone. */
export interface Lines {
  readonly lines: readonly object[];
  readonly refused: readonly Part[];
}

interface Given {
  /** JSON pointer to the lines in the push. */
  readonly path: string;
  readonly lines: readonly unknown[];
  /** A partner's line in our words; absent where they are the same. */
  rename?(line: Members): Members;
}

type LineShape = z.ZodObject<z.ZodRawShape>;

export const orderLines = (given: Given): Sliced<Lines> => readLines(shapes.orderItem, given);
export const cartLines = (given: Given): Sliced<Lines> => readLines(shapes.cartItem, given);
export const removedLines = (given: Given): Sliced<Lines> => readLines(shapes.cartItemForRemoval, given);

const LINES_PER_STEP = 16;

function* readLines(shape: LineShape, { path, lines, rename = (line) => line }: Given): Sliced<Lines> {
  const right: object[] = [];
  const refused: Part[] = [];
  for (const [index, line] of lines.entries()) {
    if (right.length + refused.length > PARTS_MAX) break;
    const read = isMembers(line) ? safeParse(shape, toLine(shape, rename(line))) : undefined;
    const reason = read?.success ? wrongNames(read.data) : whyNot(read?.error);
    if (reason !== undefined) refused.push(refusedPart(`${path}/${index}`, line, reason));
    else if (read?.success) right.push(read.data);
    if (index % LINES_PER_STEP === 0) yield;
  }
  return { lines: right, refused };
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
function wrongNames({ properties, attr }: Members): string | undefined {
  const [first] = checkFreeForm({ properties, attr }, "");
  return first && `${shown(first.path.slice(1))}: ${first.message}`;
}

/** A place in a message: names may be long. */
function shown(path: string): string {
  return path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN).toWellFormed()}…` : path;
}

const PATH_SHOWN = 200;

function whyNot(error: z.ZodError | undefined): string {
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return "The value must be an object.";
  return toDetail(issue).message;
}
