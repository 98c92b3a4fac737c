import type { JsonSchema } from "@headwater/http";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const warnings: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["path", "code", "message"],
    properties: {
      index: count,
      path: text,
      code: { enum: ["unknown_member", "not_an_address", "similar_name", "missing_value"] },
      message: text,
      suggestion: text,
    },
  },
};

const items: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["index", "status"],
    properties: {
      index: count,
      status: { enum: ["accepted", "rejected"] },
      code: text,
      message: text,
      path: { type: "string", description: "JSON pointer inside the item" },
      details: { type: "array" },
      limit: {
        type: "object",
        required: ["what", "max"],
        properties: { what: { const: "bytes" }, max: count },
        description: "Of an item that is too large",
      },
    },
  },
};

const accepted: JsonSchema = {
  type: "object",
  required: ["requestId", "receipt"],
  properties: { requestId: text, receipt: text, warnings },
};

const batchAccepted: JsonSchema = {
  type: "object",
  required: ["requestId", "receipt", "accepted", "rejected", "items"],
  properties: { requestId: text, receipt: text, accepted: count, rejected: count, items, warnings },
};

const verdicts: JsonSchema = {
  type: "object",
  required: ["requestId", "valid", "rejected", "items", "warnings"],
  properties: { requestId: text, valid: count, rejected: count, items, warnings },
};

const example = { requestId: "VbZpV7JM0BOAzyAfVMfg", receipt: "eyJyIjoi….kTqB2w" };

/** Answer to a call that writes nothing, for the document. */
export const verdictsOf = {
  description: "With validateOnly=true: the verdicts. Nothing was written.",
  schema: verdicts,
  example: { requestId: example.requestId, valid: 1, rejected: 0, items: [], warnings: [] },
};

/** Answers of an intake route, for the document. */
export function answersOf(isBatch: boolean) {
  const batchExample = { ...example, accepted: 1, rejected: 0, items: [] };
  return {
    202: {
      description: "Written to the log. The receipt tracks the outcome of the records.",
      schema: isBatch ? batchAccepted : accepted,
      example: isBatch ? batchExample : example,
    },
    200: verdictsOf,
  };
}
