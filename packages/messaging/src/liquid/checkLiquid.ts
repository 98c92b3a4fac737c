import { LiquidError, Parser, type Template, type Token, Tokenizer, TypeGuards } from "liquidjs";
import { messageLimits } from "../limits.ts";
import { createEngine } from "./engine.ts";
import { INCLUDING } from "./includeDepth.ts";
import { liquidMessage, Mistakes } from "./mistakes.ts";

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
    parser.note(error, undefined);
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

const NEEDS_KEY = "The key of an include must be a quoted text.";

/** Notes mistakes and goes on behind them. */
class CheckingParser extends Parser {
  readonly mistakes = new Mistakes();
  readonly includes: NamedInclude[] = [];
  readonly #unknown = new Set<string>();
  readonly #blank = blankToken();
  #depth = 0;

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
      return template;
    } catch (error) {
      if (tooDeepIn(error) !== undefined) throw depth === messageLimits.nesting ? new TooDeep(token) : error;
      if (!this.#isEndOfUnknown(token)) this.note(error, token);
      return super.parseToken(this.#blank, []);
    } finally {
      this.#depth -= 1;
    }
  }

  note(error: unknown, at: Token | undefined): void {
    const tooDeep = tooDeepIn(error);
    const token = tooDeep?.token ?? at ?? (LiquidError.is(error) ? error.token : undefined);
    const [line = 1, column = 1] = token?.getPosition() ?? [];
    this.mistakes.add({ message: liquidMessage(tooDeep ?? error), line, column });
  }

  #noteInclude(template: Template, token: Token): void {
    const [line = 1, column = 1] = token.getPosition();
    const key: unknown = Reflect.get(template, "file");
    if (typeof key === "string") this.includes.push({ key, line, column });
    else this.mistakes.add({ message: NEEDS_KEY, line, column });
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
