import { transportLimits } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import { invalidContent, mistakesWithoutIncludes } from "../messages/prepareParts.ts";
import type { TransportPorts } from "./transportPorts.ts";

const PATH = "/settings/body";

/** Parts of a text that only a render settles. */
const LIQUID = /\{\{|\{%/;

/** Throws 422 `VALIDATION_ERROR` with every mistake of an HTTP transport's body, by line and column. */
export async function checkBody(
  account: number,
  settings: Readonly<Record<string, unknown>> | undefined,
  ports: Pick<TransportPorts, "renders">,
): Promise<void> {
  const mistakes = await mistakesOfBody(account, settings, ports);
  if (mistakes.length > 0) throw invalidContent(mistakes);
}

/**
 * Finds the mistakes in the Liquid of an HTTP transport's body, and one that has no Liquid and is no JSON. A body that is no text, or too long,
 * is left to the shape of the settings.
 */
export async function mistakesOfBody(
  account: number,
  settings: Readonly<Record<string, unknown>> | undefined,
  ports: Pick<TransportPorts, "renders">,
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
