import { Parser } from "htmlparser2";
import { type Mistake, Mistakes, positionOf } from "../liquid/mistakes.ts";
import { type HeldMark, type HeldText, holdLiquid } from "./holdLiquid.ts";

/** Elements whose content is HTML or text of its own: Liquid in them stays. */
const ENDING =
  /^(mj-text|mj-button|mj-raw|mj-table|mj-navbar-link|mj-social-element|mj-accordion-title|mj-accordion-text|mj-style|mj-title|mj-preview|mj-html-attribute)$/;
/** Elements of MJML; those of HTML in them close as browsers have it. */
const ELEMENT = /^(mjml$|mj-)/;
const DROPPED = "MJML drops Liquid between its elements: put it into mj-raw.";
const INCLUDED = "mj-include is not available: use {% include 'key' %} inside mj-raw.";
const AMONG_ATTRIBUTES = "Liquid cannot stand among the attributes of an element of MJML: put it into a value.";
const NOT_A_NUMBER = "A measure of the MJML is not a number.";

/** MJML whose Liquid is held. */
export interface HeldMjml {
  readonly written: string;
  readonly held: HeldText;
}

/** Holds the Liquid of MJML, so that neither its parser nor its compiler sees any. */
export function holdMjml(written: string): HeldMjml {
  const held = holdLiquid(written, "mjml");
  return { written, held: { ...held, text: withoutRawInTables(held.text) } };
}

const RAW_OR_TABLE = /(<\/?mj-(?:raw|table)(?=[\s/>])[^<>]*>)/;

/** Blanks the tags of mj-raw inside of mj-table, whose content is raw by itself: in HTML they would be moved out of the table. */
function withoutRawInTables(text: string): string {
  let isInTable = false;
  const parts = text.split(RAW_OR_TABLE).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part.startsWith("<mj-table")) isInTable = !part.endsWith("/>");
    else if (part.startsWith("</mj-table")) isInTable = false;
    else if (isInTable) return " ".repeat(part.length);
    return part;
  });
  return parts.join("");
}

export interface CheckedMjml {
  readonly mistakes: readonly Mistake[];
  /** Every element is closed: what the compiler finds is then no consequence of another mistake. */
  readonly isClosed: boolean;
}

/** Finds what MJML would drop, close by itself, or read from a file. */
export function checkMjml({ written, held }: HeldMjml): CheckedMjml {
  const { text } = held;
  const words = new Set(held.marks.map(({ word }) => word));
  const mistakes = new Mistakes();
  let isClosed = true;
  const open: { readonly name: string; readonly at: number }[] = [];
  const add = (message: string, at: number) =>
    mistakes.add({ message, ...positionOf(written, at === 0 ? 0 : held.writtenAt(at)) });
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
      oncomment(data) {
        if (!words.has(data) || open.some(({ name }) => ENDING.test(name))) return;
        const mark = held.marks.find(({ word }) => word === data);
        mistakes.add({ message: DROPPED, ...positionOf(written, mark?.at ?? 0) });
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

/** Compiles MJML to HTML, and puts its Liquid back. Nothing is read from files. */
export async function compileMjml(mjml: HeldMjml): Promise<CompiledMjml> {
  const { default: mjml2html } = await import("mjml");
  const { held } = mjml;
  try {
    const { html, errors } = await mjml2html(held.text, {
      ignoreIncludes: true,
      validationLevel: "soft",
      keepComments: true,
    });
    const mistakes = [...errors.flatMap((error) => mistakeOf(mjml, error)), ...mistakesOfLost(mjml, html)];
    const isWrong = mistakes.length === 0 && NAN.test(html) && !NAN.test(mjml.written);
    return { html: held.release(html), mistakes: isWrong ? [{ message: NOT_A_NUMBER, line: 1, column: 1 }] : mistakes };
  } catch (error) {
    const message = held.release(error instanceof Error ? error.message : String(error));
    const first = Math.max(0, held.text.search(/\S/));
    return {
      html: "",
      mistakes: [{ message: `The MJML cannot be read: ${message.slice(0, 300)}`, ...pathOf(mjml, first) }],
    };
  }
}

function pathOf({ written, held }: HeldMjml, at: number): Pick<Mistake, "line" | "column"> {
  return positionOf(written, held.writtenAt(at));
}

interface MjmlError {
  readonly line: number;
  readonly message: string;
  readonly tagName: string;
}

const ILLEGAL = /^Attributes? (.*) (?:is|are) illegal$/;
const INVALID = /^Attribute (\S+) has invalid value: ([\s\S]*) for type (\w+)/;

/** Returns the mistake that an error of the compiler is. That a value is not one is no error where Liquid gives the value later. */
function mistakeOf(mjml: HeldMjml, { line, message, tagName }: MjmlError): Mistake[] {
  const { held } = mjml;
  const hasMark = (text: string) => held.marks.some(({ word }) => text.includes(word));
  const [, illegal] = ILLEGAL.exec(message) ?? [];
  const [, attribute, value = "", type = ""] = INVALID.exec(message) ?? [];
  if (attribute !== undefined && hasMark(value)) {
    if (type !== "Enum" && type !== "Boolean") return [];
    return [{ message: decidedAtSave(attribute), ...located(mjml, line, { tagName, attribute }) }];
  }
  const name = illegal?.split(", ")[0] ?? attribute;
  const path = located(mjml, line, { tagName, attribute: name });
  if (illegal !== undefined && hasMark(illegal)) return [{ message: AMONG_ATTRIBUTES, ...path }];
  return [{ message: held.release(message), ...path }];
}

/** Returns where an element of a line is: the first of its name there, with the attribute where one is named. */
function located(
  mjml: HeldMjml,
  line: number,
  { tagName, attribute }: { readonly tagName: string; readonly attribute: string | undefined },
): Pick<Mistake, "line" | "column"> {
  const { text } = mjml.held;
  const lineAt = startOfLine(text, line);
  const lineEnd = text.indexOf("\n", lineAt);
  const found: number[] = [];
  const opening = `<${tagName}`;
  for (let at = text.indexOf(opening, lineAt); at >= 0; at = text.indexOf(opening, at + 1)) {
    if (lineEnd >= 0 && at > lineEnd) break;
    found.push(at);
  }
  const hasAttribute = (at: number) =>
    attribute !== undefined && text.slice(at, text.indexOf(">", at)).includes(attribute);
  return pathOf(mjml, found.find(hasAttribute) ?? found[0] ?? lineAt);
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let before = 1; before < line; before += 1) {
    const end = text.indexOf("\n", at);
    if (end < 0) return at;
    at = end + 1;
  }
  return at;
}

/** Text that the compiler makes of a measure that is not a number. */
const NAN = /[:"\s]NaN(?:px|%)?[;"\s]/;

/** Finds Liquid that the compiler calculated with instead of keeping it. */
function mistakesOfLost({ written, held }: HeldMjml, html: string): Mistake[] {
  const lost = held.marks.filter(({ word, mayVanish }) => !mayVanish && !html.includes(word));
  return lost.filter(isMeasureOrContent).map(({ at, attribute }) => ({
    message: attribute === undefined ? "MJML drops this Liquid." : decidedAtSave(attribute),
    ...positionOf(written, at),
  }));
}

/** Other attributes may have no effect where they stand. */
function isMeasureOrContent({ attribute, isMeasure }: HeldMark): boolean {
  return attribute === undefined || isMeasure;
}

function decidedAtSave(attribute: string): string {
  return `MJML calculates with \`${attribute}\` when the content is saved, so it cannot be Liquid.`;
}
