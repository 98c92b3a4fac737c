import type { ErrorCode } from "@headwater/contracts";
import type { JsonSchema, Route } from "../routes/route.ts";

/** The one error body. Some codes add members. */
export const errorSchema: JsonSchema = {
  type: "object",
  required: ["code", "message", "requestId"],
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    requestId: { type: "string" },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "code", "message"],
        properties: {
          path: { type: "string", description: "JSON pointer" },
          code: { type: "string" },
          message: { type: "string" },
          allowed: { type: "array", items: { type: "string" } },
          earliest: { type: "string", description: "The earliest moment that can be queried" },
          line: { type: "integer", description: "Line of the text at `path`, from 1" },
          column: { type: "integer", description: "Column of the line, from 1" },
        },
      },
    },
  },
};

type ErrorAnswers = Readonly<Record<number, readonly ErrorCode[]>>;

const everywhere: ErrorAnswers = {
  400: ["BAD_REQUEST"],
  403: ["HTTPS_REQUIRED"],
  431: ["BAD_REQUEST"],
  500: ["INTERNAL_ERROR"],
  503: ["SERVICE_UNAVAILABLE", "STORE_WENT_BACK"],
};
const withKey: ErrorAnswers = {
  401: ["AUTHENTICATION_FAILED"],
  403: ["INSUFFICIENT_SCOPE", "IP_NOT_ALLOWED"],
  429: ["RATE_LIMITED"],
};
const withBody: ErrorAnswers = {
  408: ["REQUEST_TIMEOUT"],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  422: ["VALIDATION_ERROR"],
};
/** A parameter that has not the form of its resource's keys finds nothing. */
const withParams: ErrorAnswers = { 404: ["RECORD_NOT_FOUND"] };
const withDryRun: ErrorAnswers = { 409: ["PREVIEW_STALE"] };
const withHeader: Readonly<Record<string, ErrorAnswers>> = {
  "Idempotency-Key": { 409: ["IDEMPOTENCY_IN_PROGRESS"], 422: ["IDEMPOTENCY_KEY_REUSED"] },
  "If-Match": { 409: ["VERSION_CONFLICT"] },
};

/** Answers a route has because of what it is; those it describes itself are left out. */
export function errorAnswersOf(route: Route, headers: readonly string[]): JsonSchema {
  const codes = new Map<string, ErrorCode[]>();
  for (const source of sourcesOf(route, headers)) {
    for (const [status, more] of Object.entries(source)) codes.set(status, [...(codes.get(status) ?? []), ...more]);
  }
  const own = [...codes].filter(([status]) => !(status in route.answers));
  return Object.fromEntries(own.map(([status, all]) => [status, errorAnswer(all.join(" or "))]));
}

function sourcesOf(route: Route, headers: readonly string[]): ErrorAnswers[] {
  return [
    everywhere,
    ...(checksForCaller(route) ? [withKey] : []),
    ...(route.bodyRules === undefined ? [] : [withBody]),
    ...(route.shapes.params === undefined ? [] : [withParams]),
    ...headers.map((name) => withHeader[name] ?? {}),
    ...(route.dryRun === undefined || route.dryRun.class === "none" ? [] : [withDryRun]),
  ];
}

/** Returns whether a route searches for its caller: by a key, or, where it says 401 itself, by what it checks itself. */
function checksForCaller({ auth, optionalAuth, answers }: Route): boolean {
  return auth !== undefined || optionalAuth !== undefined || 401 in answers;
}

/** An answer whose body is the one error body. */
export function errorAnswer(description: string): JsonSchema {
  const schema = { $ref: "#/components/schemas/Error" };
  return { description, content: { "application/json": { schema } } };
}
