import type { Identifier, Version } from "@headwater/contracts";
import { IdentifierMap } from "./identifierMap.ts";

/** Records up to the version mean this contact by an identifier that it does not have any more. */
export interface FormerHolder {
  readonly contact: number;
  /** Number of the survivor. */
  readonly live: number;
  readonly until: Version;
}

export interface FormerIdentifier extends Omit<FormerHolder, "live">, Identifier {
  readonly account: number;
}

/** Former identifiers of contacts: the loaded ones, under those that the batch took. */
export class FormerHolders {
  readonly #loaded: IdentifierMap<readonly FormerHolder[]>;
  readonly #taken = new IdentifierMap<readonly FormerHolder[]>();
  readonly changed: FormerIdentifier[] = [];

  constructor(loaded: IdentifierMap<readonly FormerHolder[]>) {
    this.#loaded = loaded;
  }

  /**
   * Adds a former holder. Of two up to the same version the first had it: a record that merges one contact after another takes it on and
   * on.
   */
  add(former: FormerIdentifier): void {
    const { account, name, value, contact, until } = former;
    const before = this.#taken.get(account, { name, value }) ?? [];
    const known = [...before, ...(this.#loaded.get(account, { name, value }) ?? [])];
    if (known.some((holder) => holder.until === until)) return;
    this.#taken.set(account, { name, value }, [...before, { contact, live: contact, until }]);
    this.changed.push(former);
  }

  /** Asked for every identifier of every record: nearly always there is nobody. Who had the identifier at that version; undefined: whoever has it now. */
  at(account: number, identifier: Identifier, version: Version): FormerHolder | undefined {
    if (this.changed.length === 0 && this.#loaded.isEmpty) return undefined;
    const holder = earliest(this.#loaded.get(account, identifier), version);
    const taken = earliest(this.#taken.get(account, identifier), version);
    if (holder === undefined || taken === undefined) return holder ?? taken;
    return taken.until < holder.until ? taken : holder;
  }
}

function earliest(holders: readonly FormerHolder[] | undefined, version: Version): FormerHolder | undefined {
  let found: FormerHolder | undefined;
  for (const holder of holders ?? []) {
    if (holder.until >= version && (found === undefined || holder.until < found.until)) found = holder;
  }
  return found;
}
