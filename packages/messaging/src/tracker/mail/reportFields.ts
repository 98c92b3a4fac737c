/** Fields of a report by their names in lower case; the first of each name. */
export type ReportFields = ReadonlyMap<string, string>;

const FIELD = /^([!-9;-~]+)[ \t]*:([\s\S]*)$/;

/** Reads the groups of fields of RFC 3464, which blank lines part. Lines that are no fields are left out. */
export function parseFieldGroups(text: string): ReportFields[] {
  const unfolded = text.replaceAll(/\r\n?/g, "\n").replaceAll(/\n[ \t]+(\S)/g, " $1");
  return unfolded
    .split(/\n\s*\n/)
    .map(parseFields)
    .filter((fields) => fields.size > 0);
}

/** Reads the fields of RFC 5965: one group. */
export function parseFields(group: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of group.split("\n")) {
    const [, name = "", value = ""] = FIELD.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key !== "" && !fields.has(key)) fields.set(key, value.trim());
  }
  return fields;
}

/** Returns what stands behind the type of a typed field: `rfc822; ada@example.org`. */
export function withoutType(value: string | undefined): string | undefined {
  return value?.slice(value.indexOf(";") + 1).trim();
}
