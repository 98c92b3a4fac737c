import { refusal } from "@headwater/http";
import { z } from "zod";

/** Options of a call, as its query gives them. */
export interface CallOptions {
  /** One bad item refuses the batch. */
  readonly strict: boolean;
  /** The answer lists accepted items, too. */
  readonly verbose: boolean;
  /** Results only: nothing is written. */
  readonly validateOnly: boolean;
}

/** A parameter that is on or off. */
export const flag = z.enum(["true", "false", "1", "0", ""]).optional();

/** Shapes for the OpenAPI document. */
export const singleQuery = z.strictObject({ validateOnly: flag });
export const batchQuery = z.strictObject({
  strict: flag.meta({
    description:
      "One invalid item refuses the whole batch with 422: `accepted` is 0, and `items` says which are invalid.",
  }),
  verbose: flag.meta({ description: "`items` lists every item with its own verdict, in a refused batch too." }),
  validateOnly: flag.meta({
    description:
      "Nothing is written. `valid` counts items by their own verdicts; `strict` does not change them: a strict batch is accepted when `rejected` is 0.",
  }),
});

/** Partners' senders may add parameters of their own. */
export const pushQuery = z.object({
  validateOnly: flag.meta({
    description: "Nothing is written, and no list is made. The answer is the verdicts on the push's parts.",
  }),
});

interface Flags {
  readonly strict?: string | undefined;
  readonly verbose?: string | undefined;
  readonly validateOnly?: string | undefined;
}

const NONE: CallOptions = { strict: false, verbose: false, validateOnly: false };

/** @throws HeadwaterError 400 `BAD_REQUEST` that names an unknown parameter or a value that is no boolean. */
export function readCallOptions(query: unknown, isBatch: boolean): CallOptions {
  if (isEmpty(query)) return NONE;
  const shape: z.ZodType<Flags> = isBatch ? batchQuery : singleQuery;
  const parsed = shape.safeParse(query);
  if (!parsed.success) throw badQuery(parsed.error);
  const { strict, verbose, validateOnly } = parsed.data;
  return { strict: isOn(strict), verbose: isOn(verbose), validateOnly: isOn(validateOnly) };
}

/** @throws HeadwaterError 400 `BAD_REQUEST` for a value that is no boolean. */
export function isValidatedOnly(query: unknown): boolean {
  if (isEmpty(query)) return false;
  const parsed = pushQuery.safeParse(query);
  if (!parsed.success) throw badQuery(parsed.error);
  return isOn(parsed.data.validateOnly);
}

function isEmpty(query: unknown): boolean {
  for (const _name in Object(query)) return false;
  return true;
}

/** Returns whether a parameter is on: `?strict` alone means true. */
export function isOn(value: string | undefined): boolean {
  return value === "true" || value === "1" || value === "";
}

function badQuery(error: z.core.$ZodError) {
  const details = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => ({
          path: `/${name}`,
          code: "unknown_field",
          message: `\`${name}\` is not a known parameter.`,
        }))
      : [{ path: `/${issue.path.join("/")}`, code: "bad_value", message: "The value must be `true` or `false`." }],
  );
  const names = details.map(({ path }) => path.slice(1)).join(", ");
  return refusal("BAD_REQUEST", `The query is invalid: ${names}.`, { details });
}
