import type { Template } from "liquidjs";
import { createEngine, type EngineOptions, type MessageLiquid } from "../liquid/engine.ts";
import type { OnLiquidWarning } from "../liquid/warning.ts";

/** Messages whose engines are kept: a process renders few at a time. */
const ENGINES_MAX = 8;
/** Parts of one message: bodies, headers, link parameters. */
const PARTS_MAX = 64;
/** Longer texts are parsed each time: what is parsed takes many times their memory. */
const CHARACTERS_MAX = 256 * 1024;

export type ContentOptions = Omit<EngineOptions, "onWarning">;

/** Liquid that was rendered before: a message to many contacts is parsed once in each process. */
export class ParsedContents {
  /** The one used last comes first. */
  readonly #engines: CachedEngine[] = [];

  /** Returns the engine for these includes and this language. */
  engine(options: ContentOptions): CachedEngine {
    const index = this.#engines.findIndex((one) => one.isFor(options));
    const [found = new CachedEngine(options)] = index < 0 ? [] : this.#engines.splice(index, 1);
    this.#engines.unshift(found);
    this.#engines.splice(ENGINES_MAX);
    return found;
  }
}

export class CachedEngine {
  readonly #options: ContentOptions;
  readonly #liquid: MessageLiquid;
  readonly #parsed = new Map<string, Template[]>();
  #onWarning: OnLiquidWarning | undefined;

  constructor(options: ContentOptions) {
    this.#options = options;
    this.#liquid = createEngine({ ...options, onWarning: (warning) => this.#onWarning?.(warning) });
  }

  isFor({ escapes, timezone, currency, includes }: ContentOptions): boolean {
    const own = this.#options;
    return (
      own.escapes === escapes &&
      own.timezone === timezone &&
      own.currency === currency &&
      areSame(own.includes, includes)
    );
  }

  /** @param onWarning called with each value that is left out. @throws LiquidError */
  render(text: string, context: object, onWarning?: OnLiquidWarning): string {
    const templates = this.#parse(text);
    this.#onWarning = onWarning;
    try {
      // As globals they are seen by includes of `render` too, which see no variables.
      const rendered: unknown = this.#liquid.renderSync(templates, context, { globals: context });
      return String(rendered);
    } finally {
      this.#onWarning = undefined;
    }
  }

  #parse(text: string): Template[] {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const templates = this.#liquid.parse(text);
    if (text.length > CHARACTERS_MAX) return templates;
    if (this.#parsed.size >= PARTS_MAX) this.#parsed.clear();
    this.#parsed.set(text, templates);
    return templates;
  }
}

function areSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
