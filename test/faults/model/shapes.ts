import { isDeepStrictEqual } from "node:util";

/**
 * The model's own words. It is written from the specification alone and shares no fold with the product: maps, the last write
 * wins, records in the order of the log.
 */
export interface Written {
  readonly value: unknown;
  readonly version: string;
}

export interface ModelChannel {
  unsubscribed?: string;
  forced?: string;
  subscribed?: string;
}

export interface ModelContact {
  readonly cid: string;
  readonly createdAt: number;
  readonly identifiers: Map<string, string[]>;
  readonly attributes: Map<string, Written>;
  readonly channels: Map<string, ModelChannel>;
  mergedInto: ModelContact | undefined;
  /** It took part in a merge, as either side. */
  wasMerged: boolean;
}

export interface ModelMembership {
  readonly contact: ModelContact;
  readonly list: string;
  readonly present: boolean;
  readonly joinedAt: number;
  readonly version: string;
}

export interface ModelOrder {
  readonly orderId: string;
  contact: ModelContact;
  readonly members: Map<string, Written>;
}

export interface ModelActivity {
  readonly recordId: string;
  readonly contact: ModelContact;
  readonly uid: string;
  readonly name: string;
  readonly timeMs: number;
}

/** Outcome of one record in the log. */
export type ModelOutcome =
  | { readonly kind: "applied"; readonly warnings: ReadonlySet<string> }
  | { readonly kind: "skipped"; readonly code: string; readonly warnings: ReadonlySet<string> }
  | { readonly kind: "unknown" };

/** The write a record makes: who, by which id, at which version. */
export interface Origin {
  readonly accountId: string;
  readonly recordId: string;
  readonly version: string;
}

export const timeOf = (version: string): number => Number.parseInt(version.slice(0, 11), 16);

/** The contact that answers for another one, through merges. */
export function survivorOf(contact: ModelContact): ModelContact {
  return contact.mergedInto === undefined ? contact : survivorOf(contact.mergedInto);
}

export const equal = isDeepStrictEqual;

export type Members = Readonly<Record<string, unknown>>;

/** The log's records were checked by validation; the model only asks what it needs. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
