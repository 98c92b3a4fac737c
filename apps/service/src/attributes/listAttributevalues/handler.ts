import { type Account, type AttributeType, type Json, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readAttribute, readClearsOf, readRetainedValues } from "@headwater/stores/attributes";
import type { RoutePorts, ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { countNotCast, frequentValues } from "../attributeValues.ts";
import { unknown } from "../saveDefinition.ts";

export interface ValuesQuestion {
  readonly key: string;
  /** Values at most. */
  readonly limit: number;
  /** Type that the values are read as; absent: that of the definition. */
  readonly as?: AttributeType | undefined;
  readonly account: Account;
}

const LOOK_TIMEOUT_MS = 30_000;

const liveStatement =
  "SELECT count() AS live FROM contacts_current FINAL WHERE account = {account: UInt32} AND deleted = 0";

/** The most frequent values first. Throws 404 `RECORD_NOT_FOUND`. */
export async function readValues(
  { key, limit, as, account }: ValuesQuestion,
  ports: Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Promise<Answer> {
  const of = { account: account.number, key };
  const { definition, cleared, retained } = await readDefinition(of, limit, ports);
  if (definition === undefined) throw unknown();
  const { retainOnDestroy } = definition;
  const type = as ?? definition.type;
  const asOf = await ports.freshness();
  const [{ values: data, contacts }, [counts], notCast] = await Promise.all([
    frequentValues({ ...of, type, cleared }, limit, ports.clickHouse),
    ports.clickHouse.query<{ live: number }>(liveStatement, of, { timeoutMs: LOOK_TIMEOUT_MS }),
    as === undefined ? undefined : countNotCast({ ...of, type, cleared }, ports.clickHouse),
  ]);
  const missing = Math.max(0, Number(counts?.live ?? 0) - contacts);
  const kept = retained.map(({ value, contacts }: { readonly value: string; readonly contacts: number }) => ({
    value: fromText(value),
    count: contacts,
  }));
  const isShown = retainOnDestroy !== null || kept.length > 0;
  const uncast = notCast === undefined ? {} : { notCast };
  return {
    status: 200,
    body: { data, missing, ...uncast, ...(isShown && { retained: kept }), asOf: toTimestamp(asOf) },
  };
}

/** Reads the definition and what is to be counted in one snapshot: a deletion takes the definition and its values together. */
function readDefinition(
  of: Parameters<typeof readAttribute>[1],
  limit: number,
  { postgres }: Pick<ServicePorts, "postgres">,
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
