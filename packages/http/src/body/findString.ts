import { JsonScan, type ScanRules, textOfString } from "./jsonScan.ts";

const rules: ScanRules = { levelsMax: 64, numberLengthMin: Number.POSITIVE_INFINITY, isSkipped: () => false };

/**
 * The string of a JSON text under these members, each in the one before: found without parsing, also in the beginning of a
 * text that was cut off. @returns undefined when it is not there, or is no string.
 */
export function findString(text: string, path: readonly string[]): string | undefined {
  const scan = new JsonScan(text, rules);
  for (let value = scan.next(); value !== undefined; value = scan.next()) {
    const { kind, start, end, levels } = value;
    if (kind !== "string" || levels.length !== path.length) continue;
    if (levels.every(({ isObject, name }, at) => isObject && name === path[at])) {
      return textOfString(text.slice(start, end));
    }
  }
  return undefined;
}
