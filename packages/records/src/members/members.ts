import type { Json, Version, Written } from "@headwater/contracts";

/** Number of names up to which a walk along a list is quicker than a hash. */
const FEW = 16;

/** A member in the list; it is its own `Written`, so that a member is one object. */
class Member implements Written {
  readonly name: string;
  readonly value: Json;
  readonly version: Version;
  next: Member | undefined;

  constructor(name: string, { value, version }: Written, next: Member | undefined) {
    this.name = name;
    this.value = value;
    this.version = version;
    this.next = next;
  }
}

/**
 * Members by name, in the order in which they were first written. As a Map, but a list while they are few: half of the memory,
 * and a batch holds those of thousands of contacts until it is stored. Names are arbitrary (`constructor`, `__proto__`).
 */
export class Members implements Iterable<readonly [string, Written]> {
  #first: Member | undefined;
  #last: Member | undefined;
  #count = 0;
  /** Instead of the list when there are many. */
  #many: Map<string, Written> | undefined;

  constructor(entries?: Iterable<readonly [string, Written]>) {
    if (entries === undefined) return;
    for (const [name, written] of entries) this.set(name, written);
  }

  get size(): number {
    return this.#many === undefined ? this.#count : this.#many.size;
  }

  get(name: string): Written | undefined {
    if (this.#many !== undefined) return this.#many.get(name);
    let member = this.#first;
    while (member !== undefined && member.name !== name) member = member.next;
    return member;
  }

  set(name: string, written: Written): void {
    let before: Member | undefined;
    for (let member = this.#first; member !== undefined; member = member.next) {
      if (member.name === name) {
        this.#put(new Member(name, written, member.next), before);
        return;
      }
      before = member;
    }
    this.append(name, written);
  }

  /** Adds a name that is not there yet, without searching for it. */
  append(name: string, written: Written): void {
    if (this.#many === undefined && this.#count === FEW) this.#many = this.#takeList();
    if (this.#many !== undefined) {
      this.#many.set(name, written);
      return;
    }
    this.#put(new Member(name, written, undefined), this.#last);
    this.#count++;
  }

  forEach(visit: (name: string, value: Json, version: Version) => void): void {
    for (let member = this.#first; member !== undefined; member = member.next) {
      visit(member.name, member.value, member.version);
    }
    if (this.#many === undefined) return;
    for (const [name, { value, version }] of this.#many) visit(name, value, version);
  }

  *keys(): Generator<string> {
    for (const [name] of this) yield name;
  }

  *[Symbol.iterator](): Generator<readonly [string, Written]> {
    for (let member = this.#first; member !== undefined; member = member.next) yield [member.name, member];
    if (this.#many !== undefined) yield* this.#many;
  }

  /** Puts a member behind `before`. The one there is replaced and not changed: whoever has read it still holds what it was. */
  #put(member: Member, before: Member | undefined): void {
    if (before === undefined) this.#first = member;
    else before.next = member;
    if (member.next === undefined) this.#last = member;
  }

  #takeList(): Map<string, Written> {
    const many = new Map<string, Written>(this);
    this.#first = undefined;
    this.#last = undefined;
    return many;
  }
}
