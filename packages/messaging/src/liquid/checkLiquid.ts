import { canonicalTimezone } from "@headwater/contracts";
import {
  evalQuotedToken,
  type Liquid,
  LiquidError,
  Parser,
  type Template,
  type Token,
  Tokenizer,
  type TopLevelToken,
  TypeGuards,
  Value,
} from "liquidjs";
import { messageLimits } from "../limits.ts";
import { createEngine } from "./engine.ts";
import { INCLUDING } from "./includeDepth.ts";
import { liquidMessage, Mistakes } from "./mistakes.ts";
import { unknownDirectives } from "./strftime.ts";

/** An include that a content names. */
export interface NamedInclude {
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

export interface CheckedLiquid {
  readonly mistakes: Mistakes;
  readonly includes: readonly NamedInclude[];
}

/** Finds every mistake of a text's Liquid, and the includes that it names. Nothing is rendered. */
export function checkLiquid(text: string): CheckedLiquid {
  const engine = createEngine({ escapes: false, includes: {}, timezone: "UTC", currency: "USD" });
  const parser = new CheckingParser(engine);
  try {
    parser.parse(text);
  } catch (error) {
    if (LiquidError.is(error) && error.name === "TokenizationError") parser.parseAround(text);
    else parser.note(error, undefined);
  }
  return { mistakes: parser.mistakes, includes: parser.includes };
}

/** Blocks are deeper in one another than they may be; parsing ends. */
class TooDeep extends Error {
  readonly token: Token;
  constructor(token: Token) {
    super(`Blocks may stand ${messageLimits.nesting} levels deep in one another.`);
    this.token = token;
  }
}

/** Tags and outputs without an end that are noted: the text behind each is read once more. */
const UNCLOSED_MAX = 10;
const DELIMITER_CHARACTERS = "{{".length;
const NEEDS_KEY = "The key of an include must be a quoted text.";

/** Notes mistakes and goes on behind them. */
class CheckingParser extends Parser {
  readonly mistakes = new Mistakes();
  readonly includes: NamedInclude[] = [];
  readonly #unknown = new Set<string>();
  readonly #blank = blankToken();
  readonly #options: Liquid["options"];
  #depth = 0;

  constructor(engine: Liquid) {
    super(engine);
    this.#options = engine.options;
  }

  override parseToken(...[token, rest]: Parameters<Parser["parseToken"]>): ReturnType<Parser["parseToken"]> {
    const depth = this.#depth;
    if (depth > messageLimits.nesting) throw new TooDeep(token);
    const { length } = rest;
    this.#depth += 1;
    try {
      const template = super.parseToken(token, rest);
      // A block takes what stands in it.
      if (depth === messageLimits.nesting && rest.length < length) throw new TooDeep(token);
      if (TypeGuards.isTagToken(token) && INCLUDING.has(token.name)) this.#noteInclude(template, token);
      for (const mistake of dateMistakes(template)) this.#noteAt(mistake.message, mistake.token);
      return template;
    } catch (error) {
      if (tooDeepIn(error) !== undefined) throw depth === messageLimits.nesting ? new TooDeep(token) : error;
      if (!this.#isEndOfUnknown(token)) this.note(error, token);
      return super.parseToken(this.#blank, []);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Notes the tags and outputs of a text that have no end, and parses what stands around them. */
  parseAround(text: string): void {
    const options = this.#options;
    const tokenizer = new Tokenizer(text, options.operators);
    const tokens: TopLevelToken[] = [];
    for (let unclosed = 0; tokenizer.p < tokenizer.N && unclosed < UNCLOSED_MAX; ) {
      const begin = tokenizer.p;
      try {
        tokens.push(tokenizer.readTopLevelToken(options));
      } catch (error) {
        const last = tokens.at(-1);
        const isRaw = last !== undefined && TypeGuards.isTagToken(last) && last.name === "raw";
        this.note(error, isRaw ? last : undefined);
        unclosed += 1;
        if (isRaw) {
          // Everything behind it is raw, and it has been noted.
          tokens.pop();
          break;
        }
        if (tokenizer.p >= tokenizer.N) tokenizer.p = begin + DELIMITER_CHARACTERS;
      }
    }
    try {
      this.parseTokens(tokens);
    } catch (error) {
      this.note(error, undefined);
    }
  }

  note(error: unknown, at: Token | undefined): void {
    const tooDeep = tooDeepIn(error);
    this.#noteAt(
      liquidMessage(tooDeep ?? error),
      tooDeep?.token ?? at ?? (LiquidError.is(error) ? error.token : undefined),
    );
  }

  #noteAt(message: string, token: Token | undefined): void {
    const [line = 1, column = 1] = token?.getPosition() ?? [];
    this.mistakes.add({ message, line, column });
  }

  #noteInclude(template: Template, token: Token): void {
    const [line = 1, column = 1] = token.getPosition();
    const key: unknown = Reflect.get(template, "file");
    if (typeof key === "string") this.includes.push({ key, line, column });
    else this.#noteAt(NEEDS_KEY, token);
  }

  /** The end of a block that nobody knows is not a second mistake. */
  #isEndOfUnknown(token: Token): boolean {
    if (!TypeGuards.isTagToken(token)) return false;
    if (token.name.startsWith("end") && this.#unknown.has(token.name.slice(3))) return true;
    this.#unknown.add(token.name);
    return false;
  }
}

/** LiquidJS wraps what is thrown while a block is parsed. */
function tooDeepIn(error: unknown): TooDeep | undefined {
  const thrown: unknown = LiquidError.is(error) ? error.originalError : error;
  return thrown instanceof TooDeep ? thrown : undefined;
}

/** Returns a token that stands for what could not be parsed. */
function blankToken() {
  const [token] = new Tokenizer(" ").readTopLevelTokens();
  if (token === undefined) throw new Error("a blank is a token");
  return token;
}

interface DateMistake {
  readonly message: string;
  readonly token: Token;
}

/** Finds what `date` filters of a tag or an output could not do: unknown directives in their formats, and zones that do not exist. */
function dateMistakes(template: Template): DateMistake[] {
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
