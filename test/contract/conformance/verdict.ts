import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Operation, Schema } from "./description.ts";

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers: Headers;
}

export interface Judge {
  /** Everything in which the answer is not as the document says; nothing for one that conforms. */
  wrongWith(operation: Operation, answer: Answered): string[];
  /** Returns whether the document's schema accepts the body. */
  takes(operation: Operation, body: unknown): boolean;
  /** Examples of answers and bodies that their own schemas refuse. */
  wrongExamples(operations: readonly Operation[]): string[];
}

const DOCUMENT = "openapi";
const RATE_HEADERS = [
  "x-rate-limit-limit",
  "x-rate-limit-remaining",
  "x-rate-limit-reset",
  "ratelimit",
  "ratelimit-policy",
];

/** Validates answers by an OpenAPI 3.1 document, whose schemas are JSON Schema 2020-12. */
export function createJudge(whole: Schema): Judge {
  // Keywords of OpenAPI, such as `example`, are none of JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(whole, DOCUMENT, undefined, false);

  function misfit(pointer: readonly string[], value: unknown): string | undefined {
    const $ref = `${DOCUMENT}#/${pointer.map(escaped).join("/")}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    return validate(value) === true ? undefined : ajv.errorsText(validate.errors);
  }
  const bodyAt = ({ path, method }: Operation) =>
    ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"] as const;
  const answerAt = ({ path, method }: Operation, status: string, type: string) =>
    ["paths", path, method.toLowerCase(), "responses", status, "content", type, "schema"] as const;

  function wrongBody(operation: Operation, { status, contentType, text }: Answered): string[] {
    const { content } = operation.answers[status] ?? { content: {} };
    const type = contentType.split(";")[0] ?? "";
    const found = [type, "*/*"].find((one) => Object.hasOwn(content, one));
    if (found === undefined) return [`content type ${type || "(none)"} is not documented for ${status}`];
    if (content[found]?.schema === undefined) return [`${status} has no schema`];
    if (type !== "application/json") return [];
    const misfits = misfit(answerAt(operation, String(status), found), JSON.parse(text));
    return misfits === undefined ? [] : [`${status} has another body: ${misfits}: ${text.slice(0, 300)}`];
  }

  return {
    wrongWith(operation, answer) {
      const { status, headers, text } = answer;
      if (status >= 500) return [`${status}: ${text.slice(0, 300)}`];
      const lacking = RATE_HEADERS.filter((name) => !headers.has(name)).map((name) => `no header ${name}`);
      if (!Object.hasOwn(operation.answers, status)) {
        return [`${status} is not documented: ${text.slice(0, 300)}`, ...lacking];
      }
      if (status === 429 && !headers.has("retry-after")) lacking.push("429 without Retry-After");
      return [...wrongBody(operation, answer), ...lacking];
    },
    takes: (operation, body) => misfit(bodyAt(operation), body) === undefined,
    wrongExamples: (operations) =>
      operations.flatMap((operation) => {
        const { operationId, body, answers } = operation;
        const ofBody = body?.example === undefined ? undefined : misfit(bodyAt(operation), body.example);
        const ofAnswers = Object.entries(answers).flatMap(([status, { content }]) =>
          Object.entries(content).map(([type, { example, schema }]) =>
            example === undefined || schema === undefined
              ? undefined
              : misfit(answerAt(operation, status, type), example),
          ),
        );
        return [ofBody, ...ofAnswers].filter((one) => one !== undefined).map((one) => `${operationId}: ${one}`);
      }),
  };
}

/** A step of a JSON pointer inside a URI's fragment. */
function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
