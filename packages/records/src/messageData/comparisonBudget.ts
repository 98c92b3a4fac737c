/** Characters that an account's conditions may compare in one batch, over all of its records. */
export interface ComparisonPot {
  charactersLeft: number;
}

/**
 * Characters that conditions on one record may compare. The first ones belong to the record, so that it never depends on its
 * neighbours; those beyond them are taken from its account's pot.
 */
export class ComparisonBudget {
  readonly #pot: ComparisonPot;
  #own: number;
  #shared: number;
  #isExhausted = false;

  /** @param own characters that belong to the record. @param shared most characters that it takes from the pot. */
  constructor(pot: ComparisonPot, { own, shared }: { readonly own: number; readonly shared: number }) {
    this.#pot = pot;
    this.#own = own;
    this.#shared = shared;
  }

  /** True once something was not compared because it cost too much. Everything after that is not compared either. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Takes characters, or none where too few are left. @returns whether they were taken. */
  spend(characters: number): boolean {
    if (this.#isExhausted) return false;
    const own = Math.min(this.#own, characters);
    const shared = characters - own;
    if (shared > Math.min(this.#shared, this.#pot.charactersLeft)) {
      this.#isExhausted = true;
      return false;
    }
    this.#own -= own;
    this.#shared -= shared;
    this.#pot.charactersLeft -= shared;
    return true;
  }
}
