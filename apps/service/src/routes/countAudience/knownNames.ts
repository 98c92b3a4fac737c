import { type CriteriaContext, type FieldType, knownFields, type ListReference, OPERATORS } from "@headwater/audience";
import { type Account, canonicalValue, identifierRules } from "@headwater/contracts";
import { loadAttributes, pageLists } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";

const LISTS_MAX = 100_000;

/** What criteria of the account may name. `seen` adds the channels and identifiers that only the data know. */
export async function readContext(
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
  seen: readonly string[] = [],
): Promise<CriteriaContext> {
  const { formats } = identifierRules(account.settings);
  const [definitions, lists] = await Promise.all([
    loadAttributes(postgres, account.number),
    pageLists(postgres, { account: account.number, rowsMax: LISTS_MAX }),
  ]);
  const channels = seen.flatMap((field) => /^channels\.(.+)\.[^.]+$/.exec(field)?.[1] ?? []);
  const names = seen.flatMap((field) => (field.startsWith("identifiers.") ? [field.slice("identifiers.".length)] : []));
  const fields = knownFields({
    attributes: definitions.map(({ key, type }) => [key, toFieldType(type)]),
    identifiers: new Set([...formats.keys(), ...names]),
    channels: new Set([...channels, ...names.flatMap((name) => /^channels\.(.+)\.address$/.exec(name)?.[1] ?? [])]),
  });
  const canonicalIdentifier = (name: string, value: string) => canonicalValue(formats.get(name) ?? "string", value);
  return { fields, lists: lists.map(toReference), canonicalIdentifier };
}

function toReference({
  id,
  name,
  clearedVersion,
}: {
  id: number;
  name: string;
  clearedVersion: string | null;
}): ListReference {
  return clearedVersion === null ? { id, name } : { id, name, clearedVersion };
}

function toFieldType(type: string): FieldType {
  return isFieldType(type) ? type : "auto";
}

function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(OPERATORS, type);
}

const seenStatement = `SELECT DISTINCT field FROM contact_fields_current
  WHERE account = {account: UInt32} AND (startsWith(field, 'channels.') OR startsWith(field, 'identifiers.'))`;

/** Channels and identifiers are named by whoever sends them: these are the ones the account's contacts have. */
export async function readSeenFields(account: Account, { clickHouse }: ServicePorts): Promise<string[]> {
  const rows = await clickHouse.query<{ field: string }>(seenStatement, { account: account.number });
  return rows.map(({ field }) => field);
}
