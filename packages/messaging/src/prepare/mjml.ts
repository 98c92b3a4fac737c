import { Parser } from "htmlparser2";
import { type Mistake, Mistakes, positionOf } from "../liquid/mistakes.ts";

/** Elements whose content is HTML or text of its own: Liquid in them stays. */
const ENDING =
  /^(mj-text|mj-button|mj-raw|mj-table|mj-navbar-link|mj-social-element|mj-accordion-title|mj-accordion-text|mj-style|mj-title|mj-preview|mj-html-attribute)$/;
/** Elements of MJML; those of HTML in them close as browsers have it. */
const ELEMENT = /^(mjml$|mj-)/;
const DROPPED = "MJML drops Liquid between its elements: put it into mj-raw.";
const INCLUDED = "mj-include is not available: use {% include 'key' %} inside mj-raw.";

export interface CheckedMjml {
  readonly mistakes: readonly Mistake[];
  /** Every element is closed: what the compiler finds is then no consequence of another mistake. */
  readonly isClosed: boolean;
}

/** Finds what MJML would drop, close by itself, or read from a file. */
export function checkMjml(text: string): CheckedMjml {
  const mistakes = new Mistakes();
  let isClosed = true;
  const open: { readonly name: string; readonly at: number }[] = [];
  const add = (message: string, at: number) => mistakes.add({ message, ...positionOf(text, at) });
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === "mj-include") add(INCLUDED, parser.startIndex);
        open.push({ name, at: parser.startIndex });
      },
      onclosetag(name, isImplied) {
        const at = open.pop()?.at ?? 0;
        const closesItself = parser.startIndex === at && text.slice(at, parser.endIndex + 1).endsWith("/>");
        if (!isImplied || closesItself || !ELEMENT.test(name)) return;
        isClosed = false;
        add(`<${name}> is not closed.`, at);
      },
      ontext(data) {
        const [liquid] = /\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/.exec(data) ?? [];
        if (liquid === undefined || open.some(({ name }) => ENDING.test(name))) return;
        add(DROPPED, text.indexOf(liquid, parser.startIndex));
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.end(text);
  return { mistakes: mistakes.all, isClosed };
}

export interface CompiledMjml {
  readonly html: string;
  readonly mistakes: readonly Mistake[];
}

/** Compiles MJML to HTML. Nothing is read from files. */
export async function compileMjml(text: string): Promise<CompiledMjml> {
  const { default: mjml2html } = await import("mjml");
  try {
    const { html, errors } = await mjml2html(text, {
      ignoreIncludes: true,
      validationLevel: "soft",
      keepComments: true,
    });
    const mistakes = errors.filter(({ message }) => !/\{[{%]/.test(message)).map((error) => placed(text, error));
    return { html, mistakes };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      html: "",
      mistakes: [{ message: `The MJML cannot be read: ${message.slice(0, 300)}`, line: 1, column: 1 }],
    };
  }
}

interface MjmlError {
  readonly line: number;
  readonly message: string;
  readonly tagName: string;
}

function placed(text: string, { line, message, tagName }: MjmlError): Mistake {
  const place = (text.split("\n")[line - 1] ?? "").indexOf(`<${tagName}`);
  return { message, line: Math.max(1, line), column: Math.max(0, place) + 1 };
}
