import { atPath, refusal } from "@headwater/http";
import { boundedDetails, type ErrorDetail } from "@headwater/kernel";
import type { ContentPart, PreparedContent, RenderProblem } from "@headwater/messaging";
import type { ServicePorts } from "../ports.ts";

/** Checks texts with Liquid. @throws HeadwaterError 422 `VALIDATION_ERROR` with all mistakes, by path, line and column. */
export async function prepareParts(
  account: number,
  parts: readonly ContentPart[],
  { renders }: Pick<ServicePorts, "renders">,
): Promise<PreparedContent> {
  const prepared = await renders.prepare(account, parts);
  if (!("mistakes" in prepared)) throw invalidContent([renderFailed(prepared)]);
  if (prepared.mistakes.length > 0) {
    throw invalidContent(prepared.mistakes.map((mistake) => ({ code: "bad_value", ...mistake })));
  }
  return prepared;
}

export function invalidContent(details: readonly ErrorDetail[]) {
  const bounded = boundedDetails(details);
  const [first] = bounded;
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  return refusal("VALIDATION_ERROR", `The request body is invalid.${what}`, {
    details: bounded,
  });
}

/** Reports a content that cannot be rendered. */
export function renderFailed({ message, path, line, column }: RenderProblem): ErrorDetail {
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { path, code: "render_failed", message, ...place };
}
