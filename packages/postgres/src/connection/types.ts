import pg from "pg";

const oids = { int8: 20, json: 114, uuid: 2950 } as const;

/**
 * bigint as a number, uuid as 32 hex characters (all ours are versions), json as its text (folds parse it once, reads pass it on).
 * Results are always asked for as text: the driver reads binary ones through UTF-8, which breaks bytea.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (oid === oids.int8) return toSafeInteger;
    if (oid === oids.uuid) return (text: string) => text.replaceAll("-", "");
    if (oid === oids.json) return (text: string) => text;
    return pg.types.getTypeParser(oid, "text");
  },
};

function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint ${text} is beyond 2^53 - 1`);
  return number;
}
