import { atPath, refusal } from "@headwater/http";
import { boundedDetails, type ErrorDetail } from "@headwater/kernel";
import type { RoutePorts } from "../ports.ts";
import type { ContentPart, PreparedContent } from "../prepare/prepareContent.ts";
import type { RenderProblem } from "../renderer/renderProblem.ts";

/** Texts that were checked and prepared, with all mistakes of theirs. */
export interface CheckedTexts extends Pick<PreparedContent, "html" | "includes"> {
  readonly mistakes: readonly ErrorDetail[];
}

/** Checks texts with Liquid, and lists all mistakes by path, line and column. What the texts name is not looked up. */
export async function prepareParts(
  account: number,
  parts: readonly ContentPart[],
  { renders }: Pick<RoutePorts, "renders">,
): Promise<CheckedTexts> {
  const prepared = await renders.prepare(account, parts);
  if (!("mistakes" in prepared)) return { html: undefined, includes: [], mistakes: [renderFailed(prepared)] };
  return { ...prepared, mistakes: prepared.mistakes.map((mistake) => ({ code: "bad_value", ...mistake })) };
}

/**
 * Checks texts with Liquid that may name no include. @param message why not.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake, by line and column.
 */
export async function checkWithoutIncludes(
  account: number,
  parts: PartsWithoutIncludes,
  ports: Pick<RoutePorts, "renders">,
): Promise<void> {
  const mistakes = await mistakesWithoutIncludes(account, parts, ports);
  if (mistakes.length > 0) throw invalidContent(mistakes);
}

export interface PartsWithoutIncludes {
  readonly parts: readonly ContentPart[];
  /** Says that an include may not stand there. */
  readonly message: string;
}

/** Finds the mistakes of parts that may name no include; an include is one. */
export async function mistakesWithoutIncludes(
  account: number,
  { parts, message }: PartsWithoutIncludes,
  ports: Pick<RoutePorts, "renders">,
): Promise<ErrorDetail[]> {
  const { includes, mistakes } = await prepareParts(account, parts, ports);
  return [...mistakes, ...includes.map(({ key: _, ...position }) => ({ ...position, code: "not_allowed", message }))];
}

export function invalidContent(details: readonly ErrorDetail[]) {
  const [first] = boundedDetails(details, 1);
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  return refusal("VALIDATION_ERROR", `The request body is invalid.${what}`, { details });
}

/** Reports a content that cannot be rendered. */
export function renderFailed({ message, path, line, column }: RenderProblem): ErrorDetail {
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { path, code: "render_failed", message, ...place };
}
