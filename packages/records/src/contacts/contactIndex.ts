import type { Account, Identifier, IdentifiersResult, Version } from "@headwater/contracts";
import type { Contact } from "./model.ts";

/** Side of an explicit merge, as its caller names it. */
export type Side = "sourceContact" | "destinationContact";

/**
 * Contacts of an account, as resolution needs them. The projector implements it over the rows of one batch, tests in memory. Every method
 * answers for the state after all earlier records of the batch.
 */
export interface ContactIndex {
  /**
   * The live contact that an identifier finds, through merges; `cID` is looked up like any other name.
   * @param at of a record of the log: an identifier that was taken from a contact later than this finds that one still.
   */
  find(identifier: Identifier, at?: Version): Contact | undefined;
  /** Number of the contact that an identifier finds: for records that read and write none of its members. */
  owner(identifier: Identifier, at?: Version): number | undefined;
  create(origin: Origin): Contact;
  /** Lets the identifier find this contact from now on; `shown` puts it first. */
  attach(contact: Contact, identifier: Identifier, view: boolean): void;
  detach(contact: Contact, identifier: Identifier): void;
  /** Records up to that version mean this contact by the identifier, whoever has it since. */
  ownedUntil(contact: Contact, identifier: Identifier, until: Version): void;
  /** The contact that had the identifier then and has lost it since, be it by a merge; undefined: whoever has it now. */
  formerHolder(identifier: Identifier, at: Version): number | undefined;
  /** Gives the other contact every identifier that this one had before. */
  giveFormer(from: Contact, to: Contact): void;
  /** Returns when the definition of the attribute was last deleted: values written up to that version are gone. */
  attributeCleared(name: string): Version | undefined;
  /** Stores the contact: versions of it moved without a change that anyone could see. */
  touched(contact: Contact): void;
  /** Two contacts are about to be joined: both states are kept, so that the merge can be shown and undone. */
  merging(survivor: Contact, dead: Contact, explicit: Side | undefined): void;
  /** `merged` is an alias of `survivor` for ever; their members are joined already. */
  merged(survivor: Contact, merged: Contact, origin: Origin): void;
}

/** The record that does something to contacts. */
export interface Origin {
  readonly account: Account;
  readonly recordId: string;
  readonly version: Version;
  /** Version at which the identifiers find the record's contact: that of the first record of its item. Absent: its own. */
  readonly foundAt?: Version | undefined;
  /** Channels of messages by their id: of those that a report is about which names no channel. */
  readonly messageChannels?: ReadonlyMap<string, string> | undefined;
  /** The identifiers of the record's contact, when its look-ups have read them already. */
  readonly read?: IdentifiersRead | undefined;
}

/** The identifiers of one record's contact in canonical form. */
export interface IdentifiersRead {
  readonly given: IdentifiersResult;
  /** Identifiers that its attributes would write. */
  readonly written: readonly Identifier[];
  /** They write a placeholder in place of an address. */
  readonly writesPlaceholder?: true;
}
