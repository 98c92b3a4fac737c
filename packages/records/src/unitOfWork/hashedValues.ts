import { hashAddress, type Identifier, readHashedName } from "@headwater/contracts";
import type { IdentifierMap } from "../contacts/identifierMap.ts";

/** Addresses by their hashes: those that are stored, and those that records of the batch gave to contacts. */
export class HashedValues {
  readonly #loaded: IdentifierMap<string | null>;
  readonly #attached: IdentifierMap<number | null>;
  /** Values that the batch attached, by account and name of the hash, then by the hash; made for those that are asked for. */
  readonly #made = new Map<string, Map<string, string>>();

  constructor(loaded: IdentifierMap<string | null>, attached: IdentifierMap<number | null>) {
    this.#loaded = loaded;
    this.#attached = attached;
  }

  /** @returns the address that a hash stands for; null when nobody has it; undefined when it was not looked up. */
  find(account: number, { name, value: hash }: Identifier): Identifier | null | undefined {
    const hashed = readHashedName(name);
    if (hashed === undefined) return null;
    const value = this.#loaded.get(account, { name, value: hash }) ?? this.#madeFor(account, name).get(hash);
    if (value !== undefined) return { name: hashed.name, value };
    return this.#loaded.get(account, { name, value: hash }) === undefined ? undefined : null;
  }

  /** A record gave the identifier to a contact. */
  attached(account: number, identifier: Identifier): void {
    if (this.#made.size === 0) return;
    for (const [key, values] of this.#made) {
      const [number, name = ""] = key.split("\n", 2);
      if (Number(number) === account) keep(values, name, identifier);
    }
  }

  #madeFor(account: number, name: string): Map<string, string> {
    const key = `${account}\n${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const values = new Map<string, string>();
    this.#attached.forEach((identifier) => {
      if (identifier.account === account) keep(values, name, identifier);
    });
    this.#made.set(key, values);
    return values;
  }
}

function keep(values: Map<string, string>, hashedName: string, { name, value }: Identifier): void {
  const hashed = readHashedName(hashedName);
  if (hashed?.name === name) values.set(hashAddress(hashed.encoding, value), value);
}
