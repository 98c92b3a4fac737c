import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { type Account, type AttributeType, attributeTypes, type Json, toTimestamp } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { keyParams, unknownAttribute } from "../attribute.ts";
import { readClearsOf } from "../attributeClears.ts";
import { countNotCast, frequentValues } from "../clickhouse.ts";
import { readAttribute, readRetainedValues } from "../postgres.ts";

const VALUES_DEFAULT = 25;
const VALUES_MAX = 500;

const query = z.strictObject({
  ...afterQuery,
  as: z
    .enum(attributeTypes)
    .optional()
    .describe("Reads the values as this type, and counts those that it cannot read."),
  limit: z.coerce.number().int().min(1).max(VALUES_MAX).default(VALUES_DEFAULT),
});

const counted = z.array(z.strictObject({ value: z.unknown(), count: z.number().int() }));
const valuesAnswer = z.strictObject({
  data: counted,
  missing: z.number().int(),
  notCast: z.number().int().optional().describe("With `as`: contacts whose value the type cannot read."),
  retained: counted.optional().meta({
    description: "Values kept of deleted contacts by `retainOnDestroy`, with the number of contacts per value.",
  }),
  asOf: z.string(),
});

const valuesExample = {
  data: [
    { value: "GB", count: 812 },
    { value: "DE", count: 44 },
  ],
  missing: 17,
  asOf: "2026-01-09T22:47:12.000Z",
};

interface ValuesQuestion {
  readonly key: string;
  /** Values at most. */
  readonly limit: number;
  /** Type that the values are read as; absent: that of the definition. */
  readonly as?: AttributeType | undefined;
  readonly account: Account;
}

const CHECK_TIMEOUT_MS = 30_000;

const liveStatement =
  "SELECT count() AS live FROM contacts_current FINAL WHERE account = {account: UInt32} AND deleted = 0";

/** The most frequent values first. Throws 404 `RECORD_NOT_FOUND`. */
async function readValues(
  { key, limit, as, account }: ValuesQuestion,
  ports: Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Promise<Answer> {
  const of = { account: account.number, key };
  const { definition, cleared, retained } = await readDefinition(of, limit, ports);
  if (definition === undefined) throw unknownAttribute();
  const { retainOnDestroy } = definition;
  const type = as ?? definition.type;
  const asOf = await ports.freshness();
  const [{ values: data, contacts }, [counts], notCast] = await Promise.all([
    frequentValues({ ...of, type, cleared }, limit, ports.clickHouse),
    ports.clickHouse.query<{ live: number }>(liveStatement, of, { timeoutMs: CHECK_TIMEOUT_MS }),
    as === undefined ? undefined : countNotCast({ ...of, type, cleared }, ports.clickHouse),
  ]);
  const missing = Math.max(0, Number(counts?.live ?? 0) - contacts);
  const stored = retained.map(({ value, contacts }: { readonly value: string; readonly contacts: number }) => ({
    value: fromText(value),
    count: contacts,
  }));
  const isVisible = retainOnDestroy !== null || stored.length > 0;
  const uncast = notCast === undefined ? {} : { notCast };
  return {
    status: 200,
    body: { data, missing, ...uncast, ...(isVisible && { retained: stored }), asOf: toTimestamp(asOf) },
  };
}

/** Reads the definition and what is to be counted in one snapshot: a deletion takes the definition and its values together. */
function readDefinition(
  of: Parameters<typeof readAttribute>[1],
  limit: number,
  { postgres }: Pick<RoutePorts, "postgres">,
) {
  return withSnapshot(postgres, async (session) => {
    const [definition, clears, retained] = await Promise.all([
      readAttribute(session, of),
      readClearsOf(session, of.account),
      readRetainedValues(session, of, limit),
    ]);
    return { definition, cleared: clears.get(of.key), retained };
  });
}

function fromText(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

export function listAttributevalues(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountcontactattributes/{key}/values",
    operationId: "listAttributevalues",
    summary: "Returns the most frequent values of an attribute and the number of contacts without a value.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "The values with their counts.", schema: valuesAnswer, example: valuesExample },
      404: { description: "RECORD_NOT_FOUND: no attribute has this key." },
    },
    auth: "basic",
    scope: "accountcontactattributes:read",
    rateClass: "read",
    params: keyParams,
    query,
    handler: async ({ params: { key }, query: { after, limit, as }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return readValues({ key, limit, as, account: caller.account }, ports);
    },
  });
}
