import { type Account, type Json, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readAttribute, readRetainedValues } from "@headwater/stores";
import { countValues, frequentValues } from "../../attributes/attributeValues.ts";
import { unknown } from "../../attributes/saveDefinition.ts";
import type { RoutePorts } from "../../ports.ts";

export interface ValuesQuestion {
  readonly key: string;
  /** Values at most. */
  readonly limit: number;
  readonly account: Account;
}

const LOOK_TIMEOUT_MS = 30_000;

const livingStatement =
  "SELECT count() AS living FROM contacts_current FINAL WHERE account = {account: UInt32} AND deleted = 0";

/** The most frequent values first. Throws 404 `RECORD_NOT_FOUND`. */
export async function readValues({ key, limit, account }: ValuesQuestion, ports: RoutePorts): Promise<Answer> {
  const of = { account: account.number, key };
  const definition = await readAttribute(ports.postgres, of);
  if (definition === undefined) throw unknown();
  const { type, retainOnDestroy } = definition;
  const asOf = await ports.freshness();
  const [data, { read }, [counts], retained] = await Promise.all([
    frequentValues({ ...of, type }, limit, ports),
    countValues({ ...of, type }, ports),
    ports.clickHouse.query<{ living: number }>(livingStatement, of, { timeoutMs: LOOK_TIMEOUT_MS }),
    readRetainedValues(ports.postgres, of, limit),
  ]);
  const missing = Math.max(0, Number(counts?.living ?? 0) - read);
  const kept = retained.map(({ value, contacts }) => ({ value: fromText(value), count: contacts }));
  const isShown = retainOnDestroy !== null || kept.length > 0;
  return { status: 200, body: { data, missing, ...(isShown && { retained: kept }), asOf: toTimestamp(asOf) } };
}

function fromText(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}
