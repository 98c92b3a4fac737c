import {
  type ChannelWrite,
  type Identifier,
  type IdentifierRules,
  isPlaceholder,
  type Json,
  type Written,
} from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import { canonicalOf } from "./canonicalAddress.ts";
import type { CastAttributes } from "./castAttributes.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { isVisibleSince, takeIdentifier } from "./identifierHistory.ts";
import { emitIdentifierValidity } from "./identifierValidity.ts";
import type { MemberPaths } from "./memberPaths.ts";
import type { Contact } from "./model.ts";
import { includesIdentifier } from "./readIdentifiers.ts";

/** Counts of a write's members by effect. */
export interface WriteTally {
  changed: number;
  unchanged: number;
  superseded: number;
  restricted: number;
  statusKept: number;
}

export const emptyTally = (): WriteTally => ({ changed: 0, unchanged: 0, superseded: 0, restricted: 0, statusKept: 0 });

export interface MembersWrite {
  /** Attributes in the types of their definitions; a member `channels` is none of them. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly channels?: Readonly<Record<string, ChannelWrite>> | undefined;
  /** Members of geo attributes, by name of the attribute. */
  readonly geoEdits: CastAttributes["geoEdits"];
  readonly forceSubscribe: boolean;
  readonly restricted: ReadonlySet<string>;
  /** Identifiers by which the record names the contact. */
  readonly given: readonly Identifier[];
  /** Names whose value another contact holds: these members are left. */
  readonly held: ReadonlySet<string>;
  /** Events of the record so far: those of this write are added. */
  readonly changeEvents: FoldEvent[];
}

/** One for a record: what is the same for all of its members. */
export interface Writing {
  readonly index: ContactIndex;
  readonly contact: Contact;
  readonly write: MembersWrite;
  readonly origin: Origin;
  readonly tally: WriteTally;
  readonly formats: IdentifierRules["formats"];
  readonly paths: MemberPaths;
}

export function changed({ contact, write }: Writing, path: string, written: Written): void {
  memberChanged(write.changeEvents, contact, path, written);
}

/**
 * Returns the value by which a written address finds its contact; undefined for what finds none. A placeholder finds one only where its
 * record is known by nothing else.
 */
export function identifierWritten({ write, origin }: Writing, name: string, value: Json): string | undefined {
  const canonical = canonicalOf(name, value, origin);
  if (canonical === undefined || !isPlaceholder({ name, value: canonical })) return canonical;
  return includesIdentifier(write.given, { name, value: canonical }) ? canonical : undefined;
}

/**
 * An identifier written as an attribute replaces the shown one, which finds the contact for records of before only. Of one that is removed
 * the next that finds the contact is shown.
 */
export function showIdentifier(writing: Writing, name: string, value: Json): void {
  const { index, contact, origin, paths } = writing;
  const view = contact.identifiers.get(name)?.[0];
  const canonical = identifierWritten(writing, name, value);
  if (view === canonical || isVisibleSince(contact, name, origin.version)) return;
  if (view !== undefined) {
    const identifier = { name, value: view };
    index.ownedUntil(contact, identifier, takeIdentifier(index, contact, identifier, origin));
  }
  if (canonical !== undefined) index.attach(contact, { name, value: canonical }, true);
  const visibleNow = contact.identifiers.get(name)?.[0] ?? null;
  const { version } = origin;
  changed(writing, paths.identifier(name), { value: visibleNow, version });
  emitIdentifierValidity(writing.write.changeEvents, contact, { name, before: view, paths, version });
}
