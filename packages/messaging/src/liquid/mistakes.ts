import { messageLimits } from "../limits.ts";

/** One mistake of a content. */
export interface Mistake {
  readonly message: string;
  /** Counted from 1, in the content as it was written. */
  readonly line: number;
  readonly column: number;
}

/** Returns line and column of an index in a text. @param index counted from 0. */
export function positionOf(text: string, index: number): Pick<Mistake, "line" | "column"> {
  const before = text.slice(0, index);
  const lineBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: index - lineBreak };
}

/** Collects mistakes; more than are shown are dropped. */
export class Mistakes {
  readonly #found: Mistake[] = [];

  add(mistake: Mistake): void {
    if (this.#found.length < messageLimits.mistakesShown) this.#found.push(mistake);
  }

  /** Mistakes in order of their paths. */
  get all(): readonly Mistake[] {
    return this.#found.toSorted((one, other) => one.line - other.line || one.column - other.column);
  }
}

/** Returns the text of an error of LiquidJS without the line and column that it repeats. */
export function liquidMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.search(/, line:\d+, col:\d+$/);
  if (line < 0) return text.slice(0, 500);
  const file = text.indexOf(", file:");
  return text.slice(0, Math.min(500, file < 0 ? line : Math.min(file, line)));
}
