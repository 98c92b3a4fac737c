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
        },
      },
    },
  },
};

type ErrorAnswers = Record<number, readonly ErrorCode[]>;

const everywhere: ErrorAnswers = {
  403: ["HTTPS_REQUIRED"],
  500: ["INTERNAL_ERROR"],
  503: ["SERVICE_UNAVAILABLE"],
};
const withKey: ErrorAnswers = {
  401: ["AUTHENTICATION_FAILED"],
  403: ["HTTPS_REQUIRED", "INSUFFICIENT_SCOPE", "IP_NOT_ALLOWED"],
  429: ["RATE_LIMITED"],
};
const withBody: ErrorAnswers = {
  408: ["REQUEST_TIMEOUT"],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  422: ["VALIDATION_ERROR"],
};

/** Answers a route has because of what it is; those it describes itself are left out. */
export function errorAnswersOf(route: Route): JsonSchema {
  const answers: ErrorAnswers = {
    ...everywhere,
    ...(route.auth === undefined && route.optionalAuth === undefined ? {} : withKey),
    ...(route.bodyRules === undefined ? {} : withBody),
    ...(route.shapes.query === undefined && route.bodyRules === undefined ? {} : { 400: ["BAD_REQUEST"] }),
  };
  const own = Object.entries(answers).filter(([status]) => !(status in route.answers));
  return Object.fromEntries(own.map(([status, codes]) => [status, errorAnswer(codes)]));
}

function errorAnswer(codes: readonly ErrorCode[]): JsonSchema {
  const schema = { $ref: "#/components/schemas/Error" };
  return { description: codes.join(" or "), content: { "application/json": { schema } } };
}
