import { FieldReader, FieldWriter, readId, writeId } from "./packedFields.ts";

/** Purposes of tokens: a token opens for the purpose it was made for and for no other. */
export const tokenKinds = ["open", "click", "hidden", "unsubscribe", "preferences", "view", "return"] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Letters of an `mcID`: batch, template, orchestration, test. */
export const sendTypes = ["b", "a", "o", "t"] as const;
export type SendType = (typeof sendTypes)[number];

/** One send of a message to one contact. */
export interface TrackedSend {
  readonly account: { readonly id: string; readonly number: number };
  /** Id as it stands in the mcID, with the period of a child. */
  readonly message: string;
  readonly type: SendType;
  /** cID at the time of sending. */
  readonly contact: { readonly cID: string; readonly number: number };
  readonly n: number;
  readonly channel: string;
  readonly variant?: string | undefined;
}

/** The ids of a send that every token carries. */
export interface SendKey {
  /** Numbers of account and contact. */
  readonly account: number;
  readonly contact: number;
  readonly message: string;
  readonly type: SendType;
  readonly n: number;
}

/** The contents of a token. */
export interface TrackingToken extends SendKey {
  readonly kind: TokenKind;
  /** Absent from tokens of kind `return`, which must fit before the @ of an address. */
  readonly names?: SendNames | undefined;
  /** Set on clicks. */
  readonly link?: TrackedLink | undefined;
}

export interface SendNames {
  readonly accountId: string;
  readonly cID: string;
  readonly channel: string;
  readonly variant?: string | undefined;
  /** Seconds since 1970 at which the message was composed. */
  readonly composedAt: number;
}

export interface TrackedLink {
  /** Number of the link in the message, from 1. */
  readonly place: number;
  readonly url: string;
  /** Value of `data-name`. */
  readonly name?: string | undefined;
}

/** Returns the `mcID` of the send that a token was made for. Undefined for a token without names. */
export function mcIdOf({ message, type, n, names }: Omit<TrackingToken, "kind">): string | undefined {
  return names && `${names.accountId}:${message}:${type}:${names.cID}:${n}`;
}

const has = { names: 1, variant: 2, link: 4, linkName: 8 } as const;
const FLAGS_MAX = 15;

export function packToken({ kind, type, account, contact, n, message, names, link }: TrackingToken): Buffer {
  const writer = new FieldWriter()
    .byte(tokenKinds.indexOf(kind) * 16 + sendTypes.indexOf(type))
    .byte(
      (names ? has.names : 0) +
        (names?.variant === undefined ? 0 : has.variant) +
        (link ? has.link : 0) +
        (link?.name === undefined ? 0 : has.linkName),
    )
    .number(account)
    .number(contact)
    .number(n);
  writeId(writer, message);
  if (names !== undefined) writeNames(writer, names);
  if (link !== undefined) {
    writer.number(link.place).text(link.url);
    if (link.name !== undefined) writer.text(link.name);
  }
  return writer.end();
}

function writeNames(writer: FieldWriter, { accountId, cID, channel, variant, composedAt }: SendNames): void {
  writeId(writer, accountId);
  writeId(writer, cID);
  writer.text(channel).number(composedAt);
  if (variant !== undefined) writer.text(variant);
}

/** @throws RangeError for bytes that `packToken` does not write. */
export function unpackToken(bytes: Buffer): TrackingToken {
  const reader = new FieldReader(bytes);
  const first = reader.byte();
  const [kind, type] = [tokenKinds[Math.floor(first / 16)], sendTypes[first % 16]];
  const flags = reader.byte();
  if (kind === undefined || type === undefined || flags > FLAGS_MAX) throw new RangeError("unknown form of a token");
  const [account, contact, n] = [reader.number(), reader.number(), reader.number()];
  const message = readId(reader);
  const names = flags & has.names ? readNames(reader, (flags & has.variant) !== 0) : undefined;
  const link = flags & has.link ? readLink(reader, (flags & has.linkName) !== 0) : undefined;
  if (!reader.isAtEnd) throw new RangeError("a token goes on behind its end");
  return { kind, type, account, contact, n, message, ...(names && { names }), ...(link && { link }) };
}

function readNames(reader: FieldReader, hasVariant: boolean): SendNames {
  const [accountId, cID] = [readId(reader), readId(reader)];
  const [channel, composedAt] = [reader.text(), reader.number()];
  return { accountId, cID, channel, composedAt, ...(hasVariant && { variant: reader.text() }) };
}

function readLink(reader: FieldReader, hasName: boolean): TrackedLink {
  const [position, url] = [reader.number(), reader.text()];
  return { place: position, url, ...(hasName && { name: reader.text() }) };
}
