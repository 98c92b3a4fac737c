import { checkLiquid } from "../liquid/checkLiquid.ts";
import type { Mistake } from "../liquid/mistakes.ts";
import { inlineCss } from "./inlineCss.ts";
import { checkMjml, compileMjml } from "./mjml.ts";

/** One text of a message that holds Liquid. */
export interface ContentPart {
  /** JSON pointer in the body. */
  readonly path: string;
  readonly text: string;
  readonly kind: "plain" | "html" | "mjml";
}

export interface PartMistake extends Mistake {
  readonly path: string;
}

/** An include that a part names. */
export interface PartInclude {
  readonly path: string;
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

export interface PreparedContent {
  /** Mistakes in order of parts and places; empty when the content can be stored. */
  readonly mistakes: readonly PartMistake[];
  readonly includes: readonly PartInclude[];
  /** HTML to render for each contact: MJML compiled, CSS inlined. */
  readonly html: string | undefined;
}

/** Checks the texts of a message and makes of them what is rendered for each contact. */
export async function prepareContent(parts: readonly ContentPart[]): Promise<PreparedContent> {
  const mistakes: PartMistake[] = [];
  const includes: PartInclude[] = [];
  let html: string | undefined;
  for (const { path, text, kind } of parts) {
    const checked = checkLiquid(text);
    const found = [...checked.mistakes.all, ...(kind === "mjml" ? checkMjml(text) : [])];
    includes.push(...checked.includes.map((include) => ({ path, ...include })));
    const made = kind === "plain" || found.length > 0 ? undefined : await compiled(text, kind);
    if (made?.html !== undefined) html = made.html;
    mistakes.push(...[...found, ...(made?.mistakes ?? [])].map((mistake) => ({ path, ...mistake })));
  }
  return { mistakes, includes, html };
}

async function compiled(
  text: string,
  kind: "html" | "mjml",
): Promise<{ readonly html: string; readonly mistakes: readonly Mistake[] }> {
  const made = kind === "mjml" ? await compileMjml(text) : { html: text, mistakes: [] };
  if (made.mistakes.length > 0) return made;
  try {
    const html = inlineCss(made.html);
    return { html, mistakes: checkLiquid(html).mistakes.all };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { html: made.html, mistakes: [{ message: message.slice(0, 300), line: 1, column: 1 }] };
  }
}
