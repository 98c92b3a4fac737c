import type { AttributeRules, Json, shapes } from "@headwater/contracts";
import type { ImportStrategy } from "@headwater/intake/operations/importStrategy";
import type { Cell } from "@headwater/jobs/sources/row";
import { attributeValueOf, type CellRules, membershipOf, textOf, timeOf } from "./cellValue.ts";
import type { Target } from "./target.ts";

export interface ContactOptions extends CellRules {
  readonly strategy: ImportStrategy;
  readonly forceSubscribe: boolean;
  readonly mergeOptions: shapes.ContactWrite["mergeOptions"];
  /** Names that find the contact, in order; of the others, those of `written` are written. Absent: all that a row has. */
  readonly identifyBy: readonly string[] | undefined;
  /** Identifiers that an attribute of their name changes: those that the account lists, but the cID. */
  readonly written: ReadonlySet<string>;
  /** Ids of lists every row is put on (true) or taken off. */
  readonly lists: ReadonlyMap<number, boolean>;
  /** Ids by the name that a column gives. */
  readonly listIds: ReadonlyMap<string, number>;
  /** Names of lists, in lower case, that a dry run would make. */
  readonly wouldBeMade: ReadonlySet<string>;
  readonly rules: AttributeRules | undefined;
  /** Canonical value of an identifier; undefined for what is none. */
  readonly canonical: (name: string, value: string | number) => string | undefined;
}

export interface WrongCell {
  /** Name of the column. */
  readonly name: string;
  readonly message: string;
}

/** The body of `importContact` that a row makes. */
export interface ContactItem {
  readonly contact: Record<string, unknown>;
  readonly lists?: Readonly<Record<string, boolean>>;
  readonly strategy: ImportStrategy;
  readonly isSpelled?: boolean;
  readonly spellsStructures?: boolean;
}

/** Gathers the members of one contact, column by column. */
export class ContactRow {
  readonly #options: ContactOptions;
  readonly #isSpelled: boolean;
  readonly #identifiers: Record<string, string | number> = {};
  readonly #attributes: Record<string, Json> = {};
  readonly #channels: Record<string, Record<string, Json>> = {};
  readonly #lists: Record<string, boolean> = {};
  #wrong: WrongCell | undefined;
  #joinsNewList = false;
  #spellsStructures = false;

  /** @param isSpelled values of attributes without a type stand as texts. */
  constructor(options: ContactOptions, isSpelled = false) {
    this.#options = options;
    this.#isSpelled = isSpelled;
    for (const [id, present] of options.lists) this.#lists[String(id)] = present;
  }

  /** The first cell whose value its column cannot have. */
  get wrong(): WrongCell | undefined {
    return this.#wrong;
  }

  /** A dry run's row is put on a list that the import would make. */
  get joinsNewList(): boolean {
    return this.#joinsNewList;
  }

  /** A cell of a text. */
  addCell(name: string, target: Target, cell: Cell): void {
    const input = textOf(cell, this.#options);
    if (input.kind === "unchanged" || target.kind === "ignored") return;
    const isText = target.kind === "attribute" && input.value !== null;
    const value = isText ? attributeValueOf(cell, target.name, this.#options) : this.#plainValue(input.value, target);
    this.#spellsStructures ||= isText && typeof value === "object";
    this.addValue(name, target, value);
  }

  #plainValue(value: Json, target: Target): Json {
    const isTime =
      target.kind === "channel" && (target.member === "subscribedAt" || target.member === "unsubscribedAt");
    return isTime && typeof value === "string" ? timeOf(value, this.#options.notation) : value;
  }

  /** A value of JSON, or of a cell whose type is known. */
  addValue(name: string, target: Target, value: Json): void {
    switch (target.kind) {
      case "identifier":
        this.#addIdentifier(name, target.name, value);
        return;
      case "channel":
        if (value !== null)
          this.#channels[target.channel] = { ...this.#channels[target.channel], [target.member]: value };
        return;
      case "attribute":
        this.#attributes[target.name] = value;
        return;
      case "list":
        this.#addList(name, target.name, value);
        return;
      case "ignored":
        return;
    }
  }

  #addIdentifier(column: string, name: string, value: Json): void {
    if (value === null || value === "") return;
    const { identifyBy, written } = this.#options;
    if (typeof value !== "string" && typeof value !== "number")
      this.#wrong ??= { name: column, message: "An identifier is a text or a number." };
    else if (identifyBy === undefined || identifyBy.includes(name)) this.#identify(column, name, value);
    else if (written.has(name)) this.#attributes[name] = value;
  }

  /** Exports write an identifier in several columns: what they say has to be the same. */
  #identify(column: string, name: string, value: string | number): void {
    const known = this.#identifiers[name];
    if (known !== undefined && this.#options.canonical(name, known) !== this.#options.canonical(name, value))
      this.#wrong ??= { name: column, message: `Another column gives another ${name}.` };
    this.#identifiers[name] = value;
  }

  #addList(column: string, name: string, value: Json): void {
    if (value === null || value === "") return;
    const present = membershipOf(value);
    const id = this.#options.listIds.get(name.toLowerCase());
    if (present === undefined)
      this.#wrong ??= { name: column, message: "A list's cell is 1, 0, true, false, yes or no." };
    else if (id !== undefined) this.#lists[String(id)] = present;
    else if (this.#options.wouldBeMade.has(name.toLowerCase())) this.#joinsNewList ||= present;
    // Nobody is on a list that is not there.
    else if (present) this.#wrong ??= { name: column, message: "The list does not exist." };
  }

  /** @returns undefined when nothing in the row says whom it is about. */
  toItem(): ContactItem | undefined {
    if (Object.keys(this.#identifiers).length === 0) return undefined;
    const { strategy, forceSubscribe, mergeOptions, identifyBy } = this.#options;
    const hasChannels = Object.keys(this.#channels).length > 0;
    const attributes = { ...this.#attributes, ...(hasChannels && { channels: this.#channels }) };
    const contact = {
      identifiers: this.#identifiers,
      ...(identifyBy && { identifiersPriority: identifyBy }),
      ...(Object.keys(attributes).length > 0 && { attributes }),
      ...(forceSubscribe && { forceSubscribe }),
      ...(mergeOptions && { mergeOptions }),
      canBeCreated: strategy !== "updateOnly",
      canBeUpdated: strategy !== "insertOnly",
    };
    const hasLists = Object.keys(this.#lists).length > 0;
    const [isSpelled, spellsStructures] = [this.#isSpelled, this.#spellsStructures];
    return {
      contact,
      ...(hasLists && { lists: this.#lists }),
      strategy,
      ...(isSpelled && { isSpelled }),
      ...(spellsStructures && { spellsStructures }),
    };
  }
}
