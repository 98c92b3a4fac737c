import { hasForbiddenText, listedWord } from "@headwater/kernel";
import { below } from "./configurationProblems.ts";
import type { ExportRequest } from "./readExportRequest.ts";

const TEXTS_MAX = 500;
const CHARACTERS_MAX = 512;

type Reading = Pick<ExportRequest, "body" | "problems">;

/** Reads a text; undefined without one. An empty one is a mistake: it would select everything. */
export function readText({ body, problems }: Reading, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (value === "") return problems.add(`/${name}`, "bad_value", EMPTY);
  return isText(value) ? value : problems.add(`/${name}`, "type_mismatch", EXPECTED);
}

/** Reads a list of texts, or one of them alone; undefined without any. An empty list is a mistake: it would select everything. */
export function readTexts({ body, problems }: Reading, name: string): string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.length === 0) return problems.add(`/${name}`, "bad_value", EMPTY);
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (given.length > TEXTS_MAX) return problems.add(`/${name}`, "too_many", `The list has up to ${TEXTS_MAX} entries.`);
  for (const [place, one] of given.entries())
    if (!isText(one))
      problems.add(Array.isArray(value) ? below(`/${name}`, place) : `/${name}`, "type_mismatch", EXPECTED);
  const texts = given.filter(isText);
  return texts.length === 0 ? undefined : texts;
}

/** Reads one of the values that a member may have. */
export function readOneOf<const Value extends string>(
  { body, problems }: Reading,
  name: string,
  allowed: readonly Value[],
  usual: Value,
): Value {
  const value = body[name];
  if (value === undefined || value === null) return usual;
  const known = listedWord(allowed, value);
  if (known === undefined) problems.add(`/${name}`, "bad_value", "The value is unknown.", allowed);
  return known ?? usual;
}

const EMPTY = "The value is empty. Leave the member out to select all.";
const EXPECTED = `The value must be a string of 1 to ${CHARACTERS_MAX} characters.`;

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= CHARACTERS_MAX && !hasForbiddenText(value);
}
