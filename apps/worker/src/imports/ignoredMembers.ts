/** Rows by the name of a member of theirs that the import ignored. */
export type IgnoredMembers = Readonly<Record<string, number>>;

/** Names that are counted one by one. */
const NAMES_MAX = 100;
const OTHERS = "(other)";
const NAME_CHARACTERS_MAX = 256;

/** Counts the rows whose members were ignored, by the members' names. */
export class IgnoredMemberCounts {
  readonly #counts: Map<string, number>;

  /** @param before the counts of earlier rows. */
  constructor(before: IgnoredMembers = {}) {
    this.#counts = new Map(Object.entries(before));
  }

  get counts(): IgnoredMembers {
    return Object.fromEntries(this.#counts);
  }

  /** Adds the members of one row. */
  add(names: Iterable<string>): void {
    const counted = new Set<string>();
    for (const given of names) {
      const name = given.slice(0, NAME_CHARACTERS_MAX);
      const isOther = !this.#counts.has(name) && this.#counts.size >= NAMES_MAX;
      counted.add(isOther ? OTHERS : name);
    }
    for (const name of counted) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

interface Warning {
  readonly path: string;
  readonly code: string;
}

/** Returns the names of members of an item that no shape names: `items.colour` for `/order/items/0/colour`. */
export function namesOfIgnored(warnings: readonly Warning[]): string[] {
  const ignored = warnings.filter(({ code }) => code === "unknown_member");
  return ignored.map(({ path }) => {
    const steps = path.split("/").slice(1);
    const own = WRAPPERS.has(steps[0] ?? "") ? steps.slice(1) : steps;
    return own
      .filter((step) => !/^\d+$/.test(step))
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
      .join(".");
  });
}

/** Members of a record that hold what a row says. */
const WRAPPERS: ReadonlySet<string> = new Set(["order", "contact"]);
