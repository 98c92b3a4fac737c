import { type Account, canonicalIdentifier, canonicalValue, type Identifier, type shapes } from "@headwater/contracts";

/** Fields by which a record of a contact object names its contact, in order of trial. */
const linkFields = ["cID", "email"] as const;

/**
 * Returns the identifier that keeps the records of one contact, else those of one id, in order. A record that names a contact goes where
 * the contact's own records go: so it never races with the one that creates it.
 */
export function keyOf(supplement: string, record: shapes.SupplementRecordWrite, index: number): Identifier {
  for (const name of linkFields) {
    const value = record[name];
    const canonical = typeof value === "string" ? canonicalValue(formats[name], value) : undefined;
    if (canonical !== undefined) return { name, value: canonical };
  }
  // An id that the table will make is not known yet: any partition will do, the same for every retry.
  return { name: `supplement ${supplement}`, value: record.id ?? `#${index}` };
}

const formats = { cID: "string", email: "email" } as const;

/** The contacts that a record's fields may name. */
export function linksOf(fields: Readonly<Record<string, unknown>>, account: Account): Identifier[] {
  return linkFields.flatMap((name) => {
    const input = fields[name];
    if (typeof input !== "string" && typeof input !== "number") return [];
    const value = canonicalIdentifier(account.settings, name, input);
    return value === undefined ? [] : [{ name, value }];
  });
}
