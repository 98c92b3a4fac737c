import type { Identifier } from "@headwater/contracts";

/**
 * A map by account, name and value of an identifier. Three look-ups, and no text put together for each: this is the most
 * asked question of a batch.
 */
export class IdentifierMap<Value> {
  readonly #accounts = new Map<number, Map<string, Map<string, Value>>>();

  get(account: number, { name, value }: Identifier): Value | undefined {
    return this.#accounts.get(account)?.get(name)?.get(value);
  }

  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }

  set(account: number, { name, value }: Identifier, to: Value): void {
    this.#valuesOf(account, name).set(value, to);
  }

  /** Sets what is not there yet. @returns whether it did. */
  add(account: number, { name, value }: Identifier, to: Value): boolean {
    const values = this.#valuesOf(account, name);
    if (values.has(value)) return false;
    values.set(value, to);
    return true;
  }

  #valuesOf(account: number, name: string): Map<string, Value> {
    let names = this.#accounts.get(account);
    if (names === undefined) {
      names = new Map();
      this.#accounts.set(account, names);
    }
    let values = names.get(name);
    if (values === undefined) {
      values = new Map();
      names.set(name, values);
    }
    return values;
  }

  forEach(visit: (identifier: Identifier & { readonly account: number }, value: Value) => void): void {
    this.#accounts.forEach((names, account) => {
      names.forEach((values, name) => {
        values.forEach((found, value) => void visit({ account, name, value }, found));
      });
    });
  }
}
