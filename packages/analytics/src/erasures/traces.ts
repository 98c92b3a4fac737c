import { hashAddress, hashEncodings, timeOfVersion } from "@headwater/contracts";
import type { TracesOf } from "@headwater/records/erasures/erasedTraces";

export interface ErasedIdentifier {
  readonly name: string;
  readonly value: string;
}

/** Names whose value alone identifies a person. Any other may be a number like many, and counts only under its name. */
export const SPEAKING: ReadonlySet<string> = new Set(["email", "phone"]);

export interface Erased {
  /** The cut-off. */
  readonly version: string;
  readonly identifiers: readonly ErasedIdentifier[];
}

/** Postgres' clock may be ahead of the one the cut-off was taken from. */
export const CLOCKS_APART_MS = 1_000;

/** Returns the patterns that match texts which name the person, and up to when they are searched for. */
export function tracesOf(account: number, { version, identifiers }: Erased): TracesOf {
  const json = identifiers.map(({ name, value }) => {
    const text = `\\s*${escaped(JSON.stringify(value).slice(1, -1))}\\s*`;
    if (SPEAKING.has(name)) return [`"${text}"`, ...hashesOf(value)].join("|");
    return `"${escaped(JSON.stringify(name).slice(1, -1))}"\\s*:\\s*("${text}"|${text}[,}])`;
  });
  const path = identifiers
    .flatMap(({ value }) => [value, encodeURIComponent(value)])
    .map((value) => {
      return `[/:]${escaped(value)}($|[/?])|%3A${escaped(value)}($|[/?])`;
    });
  const until = timeOfVersion(version) + CLOCKS_APART_MS;
  return { account, json: json.join("|"), path: path.join("|"), version, until };
}

/** A partner's push may name the person by the hash of an address. */
function hashesOf(address: string): string[] {
  return hashEncodings.map((encoding) => `"\\s*${hashAddress(encoding, address)}\\s*"`);
}

/** Every character that is no letter or digit as its code: none of them means anything to a regular expression then. */
function escaped(text: string): string {
  return [...text].map((character) => (/^[A-Za-z0-9]$/.test(character) ? character : codeOf(character))).join("");
}

function codeOf(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
