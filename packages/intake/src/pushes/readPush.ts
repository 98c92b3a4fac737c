import type { ErrorDetail } from "@headwater/contracts";
import {
  atPath,
  badEncoding,
  everyMember,
  notJson,
  type ParsedJson,
  parseInSlices,
  refusal,
  textOf,
} from "@headwater/http";
import { isDeeperInSlices, type Sliced, safeParse, toDetails } from "@headwater/kernel";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { Push } from "../partners/push.ts";
import { withoutAbsentInSlices } from "../partners/reading.ts";

const LEVELS_MAX = 64;

/**
 * The value of a push: ids keep all their digits, and members that senders write for what is absent are left out.
 * @throws HeadwaterError with the statuses of the endpoint.
 */
export function* parsePush({ statuses }: PartnerEndpoint, bytes: Buffer): Sliced<unknown> {
  const text = textOf(bytes);
  if (text === undefined) throw badEncoding({ parseErrorStatus: statuses.badJson }, "UTF-8").error;
  const parsed = yield* parse(text);
  if (parsed === undefined) throw notJson(statuses.badJson);
  const { value, isCrowded, wideLevel } = parsed;
  const wrong = (code: string, message: string) => badShape(statuses.badShape, [{ path: "", code, message }]);
  if (isCrowded) throw wrong("too_many", "The push has too many objects and arrays.");
  if (yield* isDeeperInSlices(value, LEVELS_MAX)) {
    throw wrong("out_of_range", `The push is nested more than ${LEVELS_MAX} levels deep.`);
  }
  if (wideLevel !== undefined || countMembers(value, LEVELS_OF_SHAPES) > MEMBERS_MAX) {
    throw wrong("too_many", "An object of the push has too many members.");
  }
  return yield* withoutAbsentInSlices(value);
}

/** Shapes check every member of the objects around the parts, in so many levels; a part has fewer members than this. */
const LEVELS_OF_SHAPES = 3;
const MEMBERS_MAX = 40_000;

/** @returns how many members an object has, and the objects in it down to a level; it stops counting above the bound. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== "object" || value === null || Array.isArray(value) || levels === 0) return 0;
  const values: readonly unknown[] = Object.values(value);
  let count = values.length;
  for (const inner of values) {
    if (count > MEMBERS_MAX) break;
    count += countMembers(inner, levels - 1);
  }
  return count;
}

/** Checks a push's shape and maps it onto its parts. */
export function* mapPush(
  endpoint: PartnerEndpoint,
  value: unknown,
  context: Parameters<PartnerEndpoint["map"]>[1],
): Sliced<Push> {
  const body = checkShape(endpoint, value);
  yield;
  const push = yield* endpoint.mapInSlices(body, context);
  if (push.wrong !== undefined) throw badShape(endpoint.statuses.badShape, push.wrong);
  return push;
}

/** @throws HeadwaterError 400 when the push does not have the type of the endpoint. */
export function checkType({ wireType }: PartnerEndpoint, value: unknown): void {
  if (wireType === undefined) return;
  const input: unknown = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  if (input === wireType) return;
  const code = input === undefined ? "required" : "bad_value";
  throw badShape(400, [{ path: "/type", code, message: `\`type\` must be \`${wireType}\`.` }]);
}

/** @throws HeadwaterError with the status of the endpoint when the envelope is not right. */
export function checkShape({ body, statuses }: PartnerEndpoint, value: unknown): unknown {
  const parsed = safeParse(body, value);
  if (parsed.success) return parsed.data;
  throw badShape(statuses.badShape, toDetails(parsed.error));
}

/** Makes the error of a whole push, with the status its endpoint has for it. */
export function badShape(status: number, details: readonly ErrorDetail[]) {
  const [first] = details;
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  return refusal("VALIDATION_ERROR", `The push is invalid.${what}`, { status, details });
}

/** @returns undefined for what is no JSON. */
function* parse(text: string): Sliced<ParsedJson | undefined> {
  try {
    return yield* parseInSlices(text, everyMember);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
