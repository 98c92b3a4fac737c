import { canonicalName } from "@headwater/contracts";
import type { Row } from "@headwater/jobs/sources/row";
import { markedCells } from "./columns/describeColumns.ts";

/** Rows by the name of a member. */
export type RowsByName = Readonly<Record<string, number>>;

/** Rows that an import warns of, by the name of the member that each warning is about. */
export interface WarnedRows {
  /** Members that no shape names: the import ignored them. */
  readonly ignored?: RowsByName | undefined;
  /** Identifiers whose values cannot be addresses of their channel: they are stored, and get no messages. */
  readonly invalidAddresses?: RowsByName | undefined;
  /** Names that are nearly one of the account's identifiers or channels: they are stored as names of their own. */
  readonly similarNames?: RowsByName | undefined;
  /** Identifiers that say that there is no value: they find no contact. */
  readonly missingValues?: RowsByName | undefined;
  /** Columns with a text that looks as an export marks formulas: the mark is imported as a part of the text. */
  readonly marked?: RowsByName | undefined;
}

/** Counts the warnings of an import's rows. */
export class RowWarnings {
  readonly ignored: RowCounts;
  readonly invalidAddresses: RowCounts;
  readonly similarNames: RowCounts;
  readonly missingValues: RowCounts;
  readonly marked: RowCounts;

  /** @param before the counts of earlier rows. */
  constructor({ ignored, invalidAddresses, similarNames, missingValues, marked }: WarnedRows = {}) {
    this.ignored = new RowCounts(ignored);
    this.invalidAddresses = new RowCounts(invalidAddresses);
    this.similarNames = new RowCounts(similarNames);
    this.missingValues = new RowCounts(missingValues);
    this.marked = new RowCounts(marked);
  }

  get counts(): WarnedRows {
    return {
      ignored: this.ignored.counts,
      invalidAddresses: this.invalidAddresses.counts,
      similarNames: this.similarNames.counts,
      missingValues: this.missingValues.counts,
      marked: this.marked.counts,
    };
  }
}

/** Returns the columns of a row with a text that looks as an export marks formulas. Of a source that is read as marked it returns none. */
export function namesOfMarked(row: Row, { header, isFormulaSafe = false }: MarkedSource): string[] {
  return header === null || isFormulaSafe ? [] : markedCells(row).flatMap((index) => header[index] ?? []);
}

export interface MarkedSource {
  readonly header: readonly string[] | null;
  /** Marks of formulas were taken away as the source was read. */
  readonly isFormulaSafe?: boolean | undefined;
}

/** Names that are counted one by one. */
const NAMES_MAX = 100;
const OTHERS = "(other)";
const NAME_CHARACTERS_MAX = 256;

/** Counts rows by name. */
export class RowCounts {
  readonly #counts: Map<string, number>;

  /** @param before the counts of earlier rows. */
  constructor(before: RowsByName = {}) {
    this.#counts = new Map(Object.entries(before));
  }

  get counts(): RowsByName {
    return Object.fromEntries(this.#counts);
  }

  /** Adds the names of one row. */
  add(names: Iterable<string>): void {
    const counted = new Set<string>();
    for (const input of names) {
      const name = input.slice(0, NAME_CHARACTERS_MAX);
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
  return warnings.filter(({ code }) => code === "unknown_member").map(({ path }) => stepsOf(path).join("."));
}

/** Returns the identifiers of an item whose values are not addresses, by their canonical names. */
export function namesOfInvalidAddresses(warnings: readonly Warning[]): string[] {
  return warnings.flatMap(({ code, path }) => {
    return code === "not_an_address" ? canonicalName(nameAt(path)) : [];
  });
}

/** Returns the identifiers of an item that say that there is no value, by their canonical names. */
export function namesOfMissing(warnings: readonly Warning[]): string[] {
  return warnings.filter(({ code }) => code === "missing_value").map(({ path }) => canonicalName(nameAt(path)));
}

/** Returns the names of an item that are nearly known ones, as they are written: `channels.Email` for one of a channel. */
export function namesOfSimilar(warnings: readonly Warning[]): string[] {
  return warnings.filter(({ code }) => code === "similar_name").map(({ path }) => nameAt(path));
}

function nameAt(path: string): string {
  const steps = stepsOf(path);
  return steps.slice(NAME_HOLDERS.has(steps[0] ?? "") ? 1 : 0).join(".");
}

/** Members of a record that hold what a row says. */
const WRAPPERS: ReadonlySet<string> = new Set(["order", "contact"]);
/** Members of a contact, and of a table's body, that hold members by their names. */
const NAME_HOLDERS: ReadonlySet<string> = new Set(["identifiers", "attributes", "records"]);

/** Returns the names on the way to a member of a row, without positions. */
function stepsOf(path: string): string[] {
  const steps = path.split("/").slice(1);
  const own = WRAPPERS.has(steps[0] ?? "") ? steps.slice(1) : steps;
  return own.filter((step) => !/^\d+$/.test(step)).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
