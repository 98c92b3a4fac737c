import { type Context, type Emitter, Liquid, Output, Parser, type Template, TypeGuards } from "liquidjs";
import { messageLimits } from "../limits.ts";
import { dateFilters } from "./dates.ts";
import { type FilterDefaults, moneyFilter } from "./filters.ts";
import { INCLUDING, IncludeDepth } from "./includeDepth.ts";
import type { OnLiquidWarning } from "./warning.ts";

export interface EngineOptions extends FilterDefaults {
  /** Outputs are escaped for HTML; `raw` is the way out. */
  readonly escapes: boolean;
  /** Contents of includes by key. */
  readonly includes: Readonly<Record<string, string>>;
  /** Called with what is left out: missing values, and what a filter cannot read. */
  readonly onWarning?: OnLiquidWarning;
}

/** Characters that filters may make and loops may count in one render. */
const MEMORY_MAX = 4_000_000;

/** Creates an engine that reads nothing but the includes that it is given. */
export function createEngine({ escapes, includes, timezone, currency, onWarning }: EngineOptions): MessageLiquid {
  const engine = new MessageLiquid(
    {
      ownPropertyOnly: true,
      strictFilters: true,
      lenientIf: true,
      templates: { ...includes },
      relativeReference: false,
      parseLimit: 2 * messageLimits.contentBytes,
      renderLimit: messageLimits.renderMs,
      memoryLimit: MEMORY_MAX,
      ...(escapes && { outputEscape: "escape" as const }),
    },
    onWarning,
  );
  for (const [name, filter] of Object.entries(dateFilters({ timezone, onWarning })))
    engine.registerFilter(name, filter);
  engine.registerFilter("money", moneyFilter({ currency }));
  for (const name of ["layout", "block"]) Reflect.deleteProperty(engine.tags, name);
  return engine;
}

type LiquidOptions = NonNullable<ConstructorParameters<typeof Liquid>[0]>;

/** LiquidJS whose outputs report missing values, and whose includes go no deeper than they may. */
export class MessageLiquid extends Liquid {
  readonly #onWarning: OnLiquidWarning | undefined;
  readonly #parsed = new Map<string, Template[]>();
  readonly #depth = new IncludeDepth();

  constructor(options: LiquidOptions, onWarning: OnLiquidWarning | undefined) {
    super(options);
    this.#onWarning = onWarning;
  }

  override parse(html: string, path?: string): Template[] {
    return new NotingParser(this, { onWarning: this.#onWarning, depth: this.#depth }).parse(html, path);
  }

  override *_parsePartialFile(file: string): Generator<unknown, Template[], string | Template[]> {
    const templates = yield this.#partial(file);
    return typeof templates === "string" ? this.parse(templates, file) : templates;
  }

  /** Parses an include once for all of its uses. */
  #partial(file: string): Template[] {
    const known = this.#parsed.get(file);
    if (known !== undefined) return known;
    const content = Object.hasOwn(this.options.templates ?? {}, file) ? this.options.templates?.[file] : undefined;
    if (content === undefined) throw new Error(`There is no include ${JSON.stringify(file.slice(0, 128))}.`);
    const templates = this.parse(content, file);
    this.#parsed.set(file, templates);
    return templates;
  }
}

interface Noting {
  readonly onWarning: OnLiquidWarning | undefined;
  readonly depth: IncludeDepth;
}

class NotingParser extends Parser {
  readonly #noting: Noting;

  constructor(liquid: Liquid, noting: Noting) {
    super(liquid);
    this.#noting = noting;
  }

  override parseToken(...[token, rest]: Parameters<Parser["parseToken"]>): ReturnType<Parser["parseToken"]> {
    const { onWarning, depth } = this.#noting;
    const template = super.parseToken(token, rest);
    if (TypeGuards.isTagToken(token) && INCLUDING.has(token.name)) return depth.limit(template);
    if (onWarning === undefined || !TypeGuards.isOutputToken(token) || !(template instanceof Output)) return template;
    return withNotes(template, onWarning);
  }
}

const NAME_CHARACTERS_DISPLAYED = 200;

/** Renders an output strictly first: what fails there is missing, and is empty. */
function withNotes(output: Output, onWarning: OnLiquidWarning): Output {
  const render = output.render.bind(output);
  output.render = function* (context: Context, emitter: Emitter) {
    const { strictVariables } = context;
    const written: unknown[] = [];
    const collect: Emitter = { buffer: "", write: (value: unknown) => void written.push(value) };
    try {
      context.strictVariables = true;
      yield* render(context, collect);
    } catch (error) {
      const name = missingName(error);
      if (name === undefined) throw error;
      onWarning({
        code: "missing_value",
        message: `The value \`${name.slice(0, NAME_CHARACTERS_DISPLAYED)}\` is missing.`,
      });
      written.length = 0;
      context.strictVariables = false;
      yield* render(context, collect);
    } finally {
      context.strictVariables = strictVariables;
    }
    if (written.some(isObject)) onWarning({ code: "object_in_text", message: objectMessage(output) });
    for (const value of written) emitter.write(value);
  };
  return output;
}

/** Text that LiquidJS writes for an object, and for a list of them. An engine that escapes has made it a text already. */
const OBJECT_TEXT = /^(?:\[object Object\])+$/;

function isObject(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isObject);
  return typeof value === "string"
    ? OBJECT_TEXT.test(value)
    : Object.prototype.toString.call(value) === "[object Object]";
}

function objectMessage({ token }: Output): string {
  const text = token.getText().slice(0, NAME_CHARACTERS_DISPLAYED);
  return `\`${text}\` is an object: name one of its members, or write it with \`json\`.`;
}

function missingName(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "UndefinedVariableError") return undefined;
  const original: unknown = Reflect.get(error, "originalError");
  const name: unknown = original instanceof Error ? Reflect.get(original, "variableName") : undefined;
  return typeof name === "string" ? name : "?";
}
