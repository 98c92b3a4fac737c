import { transportLimits } from "@headwater/contracts";
import { checkWithoutIncludes, invalidContent } from "../messages/prepareParts.ts";
import type { TransportPorts } from "./transportPorts.ts";

const PATH = "/settings/body";

/** Parts of a text that only a render settles. */
const LIQUID = /\{\{|\{%/;

/**
 * Checks the Liquid of an HTTP transport's body, and a body without Liquid for being JSON. A body that is no text, or too long, is left to the shape of the settings.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake, by line and column.
 */
export async function checkBody(
  account: number,
  settings: Readonly<Record<string, unknown>> | undefined,
  ports: Pick<TransportPorts, "renders">,
): Promise<void> {
  const text = settings?.body;
  if (typeof text !== "string" || text.length > transportLimits.bodyBytes) return;
  const parts = [{ path: PATH, text, kind: "plain" }] as const;
  await checkWithoutIncludes(account, { parts, message: "The body of a transport has no includes." }, ports);
  if (!LIQUID.test(text) && !isJson(text)) {
    throw invalidContent([{ path: PATH, code: "bad_value", message: "The body must be JSON." }]);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
