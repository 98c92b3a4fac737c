import { type Account, canonicalName } from "@headwater/contracts";

/**
 * Headers that stand for an identifier, as `docs/imports.md` lists them. Case, blanks, hyphens, underscores, dots, colons, asterisks and
 * characters without width do not count. A header that often has something else, such as names under "Customer", is not listed.
 */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  cID: ["contact id"],
  email: [
    ...["mail", "e-mail address", "mail address", "primary email", "e-mail 1", "e-mail 1 value", "e-mail-adresse"],
    ...["mailadresse", "courriel", "correo electrónico"],
  ],
  phone: [
    ...["phone number", "telephone", "telephone number", "tel", "mobile", "mobile number", "mobile phone", "cell"],
    ...["cell phone", "cellphone number", "phone no", "mobile no", "tel no", "phone 1", "phone 1 value", "msisdn"],
    ...["telefon", "telefonnummer", "telefon-nr", "tel-nr", "handy", "handynummer", "handy-nr", "mobil"],
    ...["mobilnummer", "mobiltelefon", "téléphone", "teléfono"],
  ],
  customer_id: [
    ...["customer number", "customer no", "client id", "client number", "kundennummer", "kunden-nr"],
    ...["kunden id", "customer key"],
  ],
  anonymousId: ["anonymous", "visitor id"],
};

const identifiersBySynonym = new Map(
  Object.entries(synonyms).flatMap(([name, others]) => others.map((other) => [plainHeader(other), name] as const)),
);

/** Headers whose meaning is remembered: rows of JSON name the same members again and again. */
const REMEMBERED_MAX = 1_000;

/** Creates what finds the identifier of the account that a header stands for; it answers undefined for any other header. */
export function createHeaderReader(account: Pick<Account, "settings">): (header: string) => string | undefined {
  const remembered = new Map<string, string | undefined>();
  return (header) => {
    if (remembered.has(header)) return remembered.get(header);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const meant = identifierOfHeader(header, account);
    remembered.set(header, meant);
    return meant;
  };
}

function identifierOfHeader(header: string, { settings }: Pick<Account, "settings">): string | undefined {
  const plain = plainHeader(header);
  const same = settings.identifiers.find(({ name }) => plainHeader(name) === plain);
  if (same !== undefined) return same.name;
  const meant = identifiersBySynonym.get(plain);
  return settings.identifiers.some(({ name }) => name === meant) ? meant : undefined;
}

/** Returns a header without what people write in different ways. */
export function plainHeader(header: string): string {
  return canonicalName(header)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s._:*\p{Cf}-]/gu, "");
}
