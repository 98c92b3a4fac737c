import { readFileSync } from "node:fs";
import { expect } from "vitest";

const METHODS = ["GET", "POST", "PUT"] as const;
type Method = (typeof METHODS)[number];

/** A call of a guide with its answer: `$NAME` is an id of an earlier step, `…` in the answer is whatever it is. */
export interface GuideStep {
  readonly method: Method;
  readonly path: string;
  readonly body: string;
  readonly answer: string;
}

const STEP = /```http\n(?<method>[A-Z]+) (?<path>\S+)\n(?<body>[^`]*)```\n\n```json\n(?<answer>[^`]*)```/g;
const NAME = /^\$[A-Z]+$/;

/** A page of docs whose calls a test makes one after the other. */
export class Guide {
  readonly steps: readonly GuideStep[];
  /** Ids that earlier steps were answered, by the name that the guide gives them. */
  readonly known = new Map<string, string>();

  constructor(text: string) {
    this.steps = [...text.matchAll(STEP)].map(({ groups = {} }) => ({
      method: METHODS.find((name) => name === groups.method) ?? "GET",
      path: groups.path ?? "",
      body: groups.body ?? "",
      answer: groups.answer ?? "",
    }));
    // A call without an answer would go unnoticed.
    expect(this.steps.length).toBe([...text.matchAll(/```http/g)].length);
  }

  /** Returns a step's call with the ids that it names. */
  callOf({ method, path, body }: GuideStep): {
    readonly method: Method;
    readonly path: string;
    readonly input?: unknown;
  } {
    const called = { method, path: this.#named(path) };
    return body.trim() === "" ? called : { ...called, input: JSON.parse(this.#named(body)) };
  }

  /** Compares an answer with the guide's, and notes the ids that it names for the first time. */
  compare({ answer }: GuideStep, body: unknown): void {
    this.#compare(body, JSON.parse(this.#named(answer)), "$");
  }

  #named(text: string): string {
    return text.replaceAll(/\$[A-Z]+/g, (name) => this.known.get(name) ?? name);
  }

  #compare(found: unknown, expected: unknown, path: string): void {
    if (typeof expected === "string" && NAME.test(expected)) {
      expect([path, typeof found]).toEqual([path, "string"]);
      this.known.set(expected, String(found));
    } else if (expected === "…") {
      expect([path, found === undefined]).toEqual([path, false]);
    } else if (Array.isArray(expected)) {
      expect([path, Array.isArray(found) && found.length]).toEqual([path, expected.length]);
      for (const [index, one] of expected.entries()) this.#compare(Object(found)[index], one, `${path}[${index}]`);
    } else if (typeof expected === "object" && expected !== null) {
      for (const [name, one] of Object.entries(expected)) this.#compare(Object(found)[name], one, `${path}.${name}`);
    } else {
      expect([path, found]).toEqual([path, expected]);
    }
  }
}

/** Reads a page of `docs`. */
export function readGuide(name: string): Guide {
  return new Guide(readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"));
}
