import type { JsonSchema } from "@headwater/http";
import { verdictsOf } from "../entry/intakeAnswers.ts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";

const text = { type: "string" };
const error = { $ref: "#/components/schemas/Error" };

const taken: JsonSchema = {
  type: "object",
  required: ["requestId", "receipt"],
  properties: { requestId: text, receipt: text },
};

/** Answers of a partner's endpoint, for the document. */
export function pushAnswers({ statuses, auth, sampleAnswer }: PartnerEndpoint) {
  const example = sampleAnswer ?? { requestId: "VbZpV7JM0BOAzyAfVMfg", receipt: "eyJyIjoi….kTqB2w" };
  return {
    [statuses.accepted]: {
      description:
        "Written to the log. The receipt, also in the header Headwater-Receipt, tracks the outcome of the records.",
      schema: sampleAnswer === undefined ? taken : { type: "object" },
      example,
    },
    ...(auth.kind === "apiKey" ? { 200: verdictsOf } : {}),
    [statuses.badJson]: { description: "INVALID_JSON_PROVIDED", schema: error },
    [statuses.badShape]: {
      description: "VALIDATION_ERROR, or INVALID_JSON_PROVIDED where both use this status",
      schema: error,
    },
    ...(auth.kind === "none" ? {} : { 401: { description: "AUTHENTICATION_FAILED", schema: error } }),
    ...(statuses.wrongType === "NOT_ACCEPTABLE" ? { 406: { description: "NOT_ACCEPTABLE", schema: error } } : {}),
  };
}
