import { transportLimits } from "@headwater/contracts";
import { type ErrorDetail, pointerStep, safeParse } from "@headwater/kernel";
import { z } from "zod";
import { invalidContent, mistakesWithoutIncludes } from "../messages/prepareParts.ts";
import type { RoutePorts } from "../ports.ts";
import type { MappingExpression } from "../providerEvents/readProviderEvents.ts";

const PATH = "/settings/body";

/** Parts of a text that only a render resolves. */
const LIQUID = /\{\{|\{%/;

/** Throws 422 `VALIDATION_ERROR` with every mistake of an HTTP transport's body and mapping; those of Liquid have line and column. */
export async function checkForeignTexts(
  account: number,
  settings: Readonly<Record<string, unknown>> | undefined,
  ports: Pick<RoutePorts, "renders">,
): Promise<void> {
  const mistakes = await mistakesOfForeignTexts(account, settings, ports);
  if (mistakes.length > 0) throw invalidContent(mistakes);
}

/** Finds the mistakes in texts of a transport that have a language of their own: Liquid, JMESPath. */
export async function mistakesOfForeignTexts(
  account: number,
  settings: Readonly<Record<string, unknown>> | undefined,
  ports: Pick<RoutePorts, "renders">,
): Promise<ErrorDetail[]> {
  const expressions = expressionsOf(settings?.events);
  const problems = expressions.length === 0 ? [] : await ports.renders.checkExpressions(account, expressions);
  const ofMapping = problems.map(({ path, message }) => ({
    path: `/settings/events${path}`,
    code: "bad_value",
    message,
  }));
  return [...(await mistakesOfBody(account, settings, ports)), ...ofMapping];
}

/** Returns the expressions of a mapping, or of a change of one. What is not a text, or too long, is left to the shape of the settings. */
function expressionsOf(events: unknown): MappingExpression[] {
  const { list, map = {} } = safeParse(mappingTexts, events).data ?? {};
  const all = [
    ["/list", list] as const,
    ...Object.entries(map).map(([name, text]) => [`/map/${pointerStep(name)}`, text] as const),
  ];
  return all.flatMap(([path, text]) =>
    typeof text === "string" && text.length <= transportLimits.eventExpressionCharacters ? [{ path, text }] : [],
  );
}

const mappingTexts = z.object({ list: z.unknown(), map: z.record(z.string(), z.unknown()).optional() });

/**
 * Finds the mistakes in the Liquid of an HTTP transport's body, and one that has no Liquid and is no JSON. A body that is no text, or too long,
 * is left to the shape of the settings.
 */
async function mistakesOfBody(
  account: number,
  settings: Readonly<Record<string, unknown>> | undefined,
  ports: Pick<RoutePorts, "renders">,
): Promise<ErrorDetail[]> {
  const text = settings?.body;
  if (typeof text !== "string" || text.length > transportLimits.bodyBytes) return [];
  const parts = [{ path: PATH, text, kind: "plain" }] as const;
  const message = "The body of a transport has no includes.";
  const mistakes = await mistakesWithoutIncludes(account, { parts, message }, ports);
  if (mistakes.length > 0 || LIQUID.test(text) || isJson(text)) return mistakes;
  return [{ path: PATH, code: "bad_value", message: "The body must be JSON." }];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
