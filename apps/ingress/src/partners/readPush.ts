import type { ErrorDetail } from "@headwater/contracts";
import { atPath, badEncoding, everyMember, notJson, parseExact, refusal, textOf, toDetails } from "@headwater/http";
import { isDeeperThan } from "@headwater/kernel";
import { type PartnerEndpoint, withoutAbsent } from "@headwater/partners";

const LEVELS_MAX = 64;

/**
 * The value of a push: ids keep all their digits, and members that senders write for what is absent are left out.
 * @throws HeadwaterError with the statuses of the endpoint.
 */
export function parsePush({ statuses }: PartnerEndpoint, bytes: Buffer): unknown {
  const text = textOf(bytes);
  if (text === undefined) throw badEncoding(statuses.badJson, "UTF-8").error;
  const value = parse(text);
  if (value === NOT_JSON) throw notJson(statuses.badJson);
  if (isDeeperThan(value, LEVELS_MAX)) {
    const message = `The push is nested more than ${LEVELS_MAX} levels deep.`;
    throw badShape(statuses.badShape, [{ path: "", code: "out_of_range", message }]);
  }
  return withoutAbsent(value);
}

/** @throws HeadwaterError 400 when the push does not have the type of the endpoint. */
export function checkType({ wireType }: PartnerEndpoint, value: unknown): void {
  if (wireType === undefined) return;
  const given: unknown = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  if (given === wireType) return;
  const code = given === undefined ? "required" : "bad_value";
  throw badShape(400, [{ path: "/type", code, message: `\`type\` must be \`${wireType}\`.` }]);
}

/** @throws HeadwaterError with the status of the endpoint when the envelope is not right. */
export function checkShape({ body, statuses }: PartnerEndpoint, value: unknown): unknown {
  const parsed = body.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badShape(statuses.badShape, toDetails(parsed.error));
}

/** What is wrong with a whole push, with the status its endpoint has for it. */
export function badShape(status: number, details: readonly ErrorDetail[]) {
  const [first] = details;
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  return refusal("VALIDATION_ERROR", `The push is invalid.${what}`, { status, details });
}

const NOT_JSON: unique symbol = Symbol("not JSON");

function parse(text: string): unknown {
  try {
    return parseExact(text, everyMember);
  } catch (error) {
    if (error instanceof SyntaxError) return NOT_JSON;
    throw error;
  }
}
