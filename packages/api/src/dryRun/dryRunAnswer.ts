import { isDryRun, queryRefusal } from "@headwater/http";
import { safeParse, toDetails } from "@headwater/kernel";
import { z } from "zod";

const change = z.strictObject({
  path: z.string().meta({ description: "JSON pointer into the record; empty where the record is created or deleted." }),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
});
const warning = z.looseObject({ path: z.string(), code: z.string(), message: z.string() });

/** Example of a change of a name. */
export const dryRunExample = {
  dryRun: true,
  status: 200,
  answer: { success: true, id: "65f0c0ffee65f0c0ffee0001" },
  changes: [{ path: "/name", from: "Winter", to: "Spring" }],
  counts: { changes: 1, created: 0, deleted: 0, jobs: 0, records: 0, updated: 1 },
  starts: 0,
  warnings: [],
  digest: "G8xPtVtCq0q7bC1nHkOaQ7sZ0xw9Vv0yDkWjv7S2e5I",
};

/** Body of the answer to a dry run. */
export const dryRunAnswer = z
  .looseObject({
    dryRun: z.literal(true),
    status: z.number().int().meta({ description: "The status that the call would be answered with." }),
    answer: z.unknown().meta({ description: "The body that it would be answered with, without secrets." }),
    changes: z.array(change).meta({
      description: "Members of the record that would change, with their values where the key may read the record.",
    }),
    counts: z.record(z.string(), z.number()),
    starts: z.union([z.number().int(), z.literal("unknown")]).meta({
      description: "Number of sends and runs of orchestrations that would start.",
    }),
    warnings: z.array(warning),
    digest: z
      .string()
      .meta({ description: "Digest of changes, counts and answer but for ids and times, for `expect`." }),
  })
  .meta({ id: "DryRun", description: "What a write would do. Nothing was written.", examples: [dryRunExample] });

export type DryRunBody = z.output<typeof dryRunAnswer>;

const DIGEST = /^[\w-]{43}$/;

/** Parameters of every write that has a dry run. */
export const dryRunParameters = {
  dryRun: z.enum(["true", "false", "1", "0", ""], { error: "must be true or false" }).optional().meta({
    description: "`true`: answers what the call would do, and writes nothing. The `Idempotency-Key` is not used up.",
  }),
  expect: z.string().regex(DIGEST, { error: "must be the digest of a dry run, 43 characters" }).optional().meta({
    description:
      "`digest` of an earlier dry run. The call is a 409 `PREVIEW_STALE`, and writes nothing, where it would do something else by now.",
  }),
};

const parameters = z.object(dryRunParameters);
const given = z.looseObject({ dryRun: z.unknown().optional(), expect: z.unknown().optional() });

export interface Asked {
  readonly isDryRun: boolean;
  readonly expect: string | undefined;
  /** The query without both. */
  readonly query: unknown;
}

/** Reads `dryRun` and `expect` out of a query. @throws HeadwaterError 400 `BAD_REQUEST` for values that are none. */
export function readAsked(query: unknown): Asked {
  const { dryRun, expect, ...others } = given.parse(query);
  const parsed = safeParse(parameters, { dryRun, expect });
  if (!parsed.success) throw queryRefusal(toDetails(parsed.error));
  return { isDryRun: isDryRun({ dryRun }), expect: parsed.data.expect, query: others };
}
