import { type NamedRegex, regexesOf } from "@headwater/criteria";
import type { ErrorDetail } from "@headwater/kernel";
import type { CriteriaPorts } from "./criteriaPorts.ts";

type Ports = Pick<CriteriaPorts, "clickHouse">;

/** The server's name of the error for a regular expression that RE2 refuses. */
const BAD_REGEX_TYPE = "CANNOT_COMPILE_REGEXP";

/** Returns whether RE2 refused a regular expression of a query. */
export function isBadRegex(error: unknown): error is Error {
  return error instanceof Error && "type" in error && error.type === BAD_REGEX_TYPE;
}

/** Asks the store, which has the last word, for the regular expressions that it refuses: all at once, and each alone when one is refused. */
export async function refusedRegexes(input: unknown, ports: Ports): Promise<ErrorDetail[]> {
  const regexes = regexesOf(input);
  if (regexes.length === 0 || (await areTaken(regexes, ports))) return [];
  const refused: ErrorDetail[] = [];
  for (const regex of regexes) {
    if (await areTaken([regex], ports)) continue;
    refused.push({ path: regex.path, code: "bad_value", message: "not a valid RE2 regular expression" });
  }
  return refused;
}

async function areTaken(regexes: readonly NamedRegex[], { clickHouse }: Ports): Promise<boolean> {
  const columns = regexes.map((_, index) => `match('', {r${index}: String}) AS m${index}`);
  const params = Object.fromEntries(regexes.map(({ value }, index) => [`r${index}`, value]));
  try {
    await clickHouse.query(`SELECT ${columns.join(", ")}`, params);
    return true;
  } catch (error) {
    if (isBadRegex(error)) return false;
    throw error;
  }
}
