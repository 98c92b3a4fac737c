import { isFreeForm, type MemberNames, parseExact } from "./exactNumbers.ts";
import { OpenLevels } from "./openLevels.ts";

/** Far beyond the levels any body may have: containers below it are read and dropped, so that depth takes no memory. */
const LEVELS_STORED = 1_024;

/** Far more than fit into any item: a greater object cannot be searched without holding the event loop. */
const MEMBERS_STORED = 50_000;

/**
 * More than any honest body of 10 MiB has: 100,000 contacts of ten each. The collector walks through all of them while the event loop stands
 * still, and a body of `{}` alone could hold 3.5 million.
 */
const CONTAINERS_STORED = 1_000_000;

/** A value as it was parsed. */
export interface ParsedJson {
  readonly value: unknown;
  /** The value had more than 1,000,000 objects and arrays, of which only the first are there. */
  readonly isCrowded: boolean;
  /** Level of the outermost object that had more than 50,000 names, of which the first are there; the value itself is level 1. */
  readonly wideLevel: number | undefined;
}

type Container = unknown[] | Record<string, unknown>;

/**
 * Puts a JSON value together from pieces of its text. Containers that open and close within one piece are left to `JSON.parse`; those that
 * are open at the end of a piece are filled here, one run of their elements after the other. Level 0 is around the text.
 */
export class JsonAssembly {
  readonly #text: string;
  readonly #decimalMembers: MemberNames;
  readonly #levels = new OpenLevels();
  /** Containers that are filled here, by level. */
  readonly #containers: Container[] = [[]];
  /** Names of the objects that are filled here, by level. */
  readonly #names: number[] = [];
  #wideLevel: number | undefined;
  #opened = 0;
  /** Levels up to here are filled here; the others stand in text that was not parsed yet. */
  #filled = 0;

  constructor(text: string, decimalMembers: MemberNames) {
    this.#text = text;
    this.#decimalMembers = decimalMembers;
  }

  comma(at: number): void {
    this.#levels.comma(at);
  }

  open(at: number, isObject: boolean): void {
    this.#levels.push(at, isObject);
    this.#opened += 1;
  }

  /** @throws SyntaxError for what no bracket opened. */
  close(at: number, isObject: boolean): void {
    const levels = this.#levels;
    const level = levels.depth;
    if (level === 0 || levels.isObject(level) !== isObject) throw new SyntaxError("a bracket closes nothing");
    if (level === this.#filled) {
      this.#takeLast(level, at);
      this.#filled -= 1;
      levels.pop();
      levels.move(level - 1, at + 1, "afterElement");
    } else {
      levels.pop();
    }
  }

  /** Parses whatever is complete. */
  parsePending(): void {
    const { depth } = this.#levels;
    for (let level = this.#filled + 1; level <= depth; level++) this.#fill(level);
    const comma = this.#levels.lastComma(depth);
    if (comma >= 0) this.#takeUpTo(depth, comma);
  }

  /** @throws SyntaxError when the text is not one whole value. */
  end(): ParsedJson {
    if (this.#levels.depth > 0) throw new SyntaxError("a bracket is not closed");
    const outside = this.#levels.lastComma(0) >= 0;
    if (!outside) this.#takeLast(0, this.#text.length);
    const [root] = this.#containers;
    if (outside || !Array.isArray(root) || root.length !== 1) throw new SyntaxError("the text is not one value");
    return { value: root[0], isCrowded: this.#isCrowded(), wideLevel: this.#wideLevel };
  }

  #isCrowded(): boolean {
    return this.#opened > CONTAINERS_STORED;
  }

  /** Makes the container of a level that is open, and puts it into the one around it. */
  #fill(level: number): void {
    const levels = this.#levels;
    const outer = level - 1;
    const comma = levels.lastComma(outer);
    if (comma >= 0) this.#takeUpTo(outer, comma);
    if (levels.place(outer) === "afterElement") throw new SyntaxError("a comma is missing");
    const start = levels.start(level);
    const name = this.#nameOf(outer, levels.from(outer), start);
    levels.begin(level);
    if (levels.isFreeForm(outer) || isFreeForm(name)) levels.markFreeForm(level);
    this.#filled = level;
    if (level > LEVELS_STORED) return;
    const container: Container = levels.isObject(level) ? {} : [];
    this.#put(outer, name, container);
    this.#containers[level] = container;
    this.#names[level] = 0;
  }

  /** Reads what stands before a container: its member's name in an object, nothing in an array. */
  #nameOf(outer: number, from: number, start: number): string {
    const source = this.#text.slice(from, start);
    if (source === "") {
      if (this.#levels.isObject(outer)) throw new SyntaxError("a member has no name");
      return "";
    }
    if (!this.#levels.isObject(outer)) return this.#none(source);
    const named: object = JSON.parse(`{${source}[]}`);
    return Object.keys(named)[0] ?? "";
  }

  #none(source: string): "" {
    JSON.parse(`[${source}[]]`);
    return "";
  }

  /** Takes the elements of a level up to a comma behind them. */
  #takeUpTo(level: number, comma: number): void {
    const from = this.#elementsFrom(level, comma);
    if (from < comma) this.#take(level, from, comma);
    else if (this.#levels.place(level) !== "afterElement") throw new SyntaxError("an element is missing");
    this.#levels.move(level, comma + 1, "afterComma");
  }

  /** Takes the elements of a level up to its end. */
  #takeLast(level: number, end: number): void {
    const from = this.#elementsFrom(level, end);
    if (from < end) this.#take(level, from, end);
    else if (this.#levels.place(level) === "afterComma") throw new SyntaxError("an element is missing");
  }

  /** Finds where elements begin: behind the blanks, and behind the comma that an element before them needs. */
  #elementsFrom(level: number, to: number): number {
    const first = this.#skipBlanks(this.#levels.from(level), to);
    if (first === to || this.#levels.place(level) !== "afterElement") return first;
    if (this.#text[first] !== ",") throw new SyntaxError("a comma is missing");
    const next = this.#skipBlanks(first + 1, to);
    if (next === to) throw new SyntaxError("an element is missing");
    return next;
  }

  #skipBlanks(from: number, to: number): number {
    let at = from;
    while (at < to && isBlank(this.#text.charCodeAt(at))) at += 1;
    return at;
  }

  #take(level: number, from: number, to: number): void {
    const isObject = this.#levels.isObject(level);
    const elements = this.#text.slice(from, to);
    const text = isObject ? `{${elements}}` : `[${elements}]`;
    const parsed: unknown = this.#levels.isFreeForm(level) ? JSON.parse(text) : parseExact(text, this.#decimalMembers);
    if (level <= LEVELS_STORED) this.#putAll(level, parsed);
  }

  #putAll(level: number, parsed: unknown): void {
    if (Array.isArray(parsed)) for (const element of parsed) this.#put(level, "", element);
    else if (typeof parsed === "object" && parsed !== null) {
      for (const [name, value] of Object.entries(parsed)) this.#put(level, name, value);
    }
  }

  #put(level: number, name: string, value: unknown): void {
    const container = this.#containers[level];
    if (container === undefined || (level > 0 && this.#isCrowded())) return;
    if (Array.isArray(container)) container.push(value);
    else if (this.#hasRoom(level, container, name)) putMember(container, name, value);
  }

  #hasRoom(level: number, container: object, name: string): boolean {
    if (Object.hasOwn(container, name)) return true;
    const names = (this.#names[level] ?? 0) + 1;
    this.#names[level] = names;
    if (names <= MEMBERS_STORED) return true;
    this.#wideLevel = Math.min(level, this.#wideLevel ?? level);
    return false;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Sets a member as `JSON.parse` does: the last of a name counts, in the first's path. */
function putMember(container: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") container[name] = value;
  else Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
}
