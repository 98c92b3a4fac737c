import { canonicalTimezone } from "@headwater/contracts";
import { evalQuotedToken, type Template, type Token, TypeGuards, Value } from "liquidjs";
import { unknownDirectives } from "./strftime.ts";

export interface DateMistake {
  readonly message: string;
  readonly token: Token;
}

/** Finds what `date` filters of a tag or an output could not do: unknown directives in their formats, and zones that do not exist. */
export function dateMistakes(template: Template): DateMistake[] {
  const values = [...(template.arguments?.() ?? [])].filter((argument) => argument instanceof Value);
  const filters = values.flatMap((value) => value.filters).filter(({ name }) => name === "date");
  return filters.flatMap(({ args: [format, zone] }) => [...mistakesOfFormat(format), ...mistakesOfZone(zone)]);
}

function mistakesOfFormat(format: unknown): DateMistake[] {
  if (!TypeGuards.isQuotedToken(format)) return [];
  return [...new Set(unknownDirectives(evalQuotedToken(format)))].map((directive) => ({
    message: `The date format has an unknown directive: ${JSON.stringify(directive)}. A percent sign is written %%.`,
    token: format,
  }));
}

function mistakesOfZone(zone: unknown): DateMistake[] {
  if (!TypeGuards.isQuotedToken(zone)) return [];
  const name = evalQuotedToken(zone);
  if (canonicalTimezone(name) !== undefined) return [];
  const message = `${JSON.stringify(name)} is not the IANA name of a time zone.`;
  return [{ message, token: zone }];
}
