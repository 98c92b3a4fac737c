/** Kinds of sends by the letter that an `mcID` carries. Sends of type `t` are tests and count nowhere. */
export const messageTypes = { b: "batch", a: "automation", o: "orchestration" } as const;

export type MessageTypeName = (typeof messageTypes)[keyof typeof messageTypes];

/** Identifies one send of a message to one contact. */
export interface McId {
  readonly account: string;
  /** May hold colons. */
  readonly message: string;
  /** Set for the child of one day (`d260131`) or hour (`h26013109`) of an automated message. */
  readonly period?: string;
  /** A letter of `messageTypes`, or `t`; other texts are kept as they came. */
  readonly type: string;
  /** cID of the contact when the message was sent. */
  readonly contact: string;
  /** Number of the send. */
  readonly n: string;
}

const PERIOD = "d[0-9]{6}|h[0-9]{8}";

/**
 * `account:message[:period]:type:contact:n`, read from both ends. JavaScript and RE2 (ClickHouse) read it alike; its groups
 * are account, message, period, type, contact, n.
 */
export const MC_ID_PATTERN = `^([^:]+):([\\s\\S]+?)(?::(${PERIOD}))?:([^:]+):([^:]+):([^:]+)$`;

/** The id of a message, with the period of a child behind it or without. Its groups are message and period. */
export const MESSAGE_ID_PATTERN = `^([\\s\\S]+?)(?::(${PERIOD}))?$`;

const mcIdRegExp = new RegExp(MC_ID_PATTERN);
const messageIdRegExp = new RegExp(MESSAGE_ID_PATTERN);

/** Parses an `mcID`. Returns undefined for a text that names no message. */
export function parseMcId(text: string): McId | undefined {
  const [, account, message, period, type, contact, n] = mcIdRegExp.exec(text) ?? [];
  if (account === undefined || message === undefined) return undefined;
  if (type === undefined || contact === undefined || n === undefined) return undefined;
  return { account, message, ...(period !== undefined && { period }), type, contact, n };
}

/** Parses the id of a message or of one of its children: `m7`, `m7:d260131`. Returns undefined for an empty text. */
export function parseMessageId(text: string): Pick<McId, "message" | "period"> | undefined {
  const [, message, period] = messageIdRegExp.exec(text) ?? [];
  return message === undefined ? undefined : { message, ...(period !== undefined && { period }) };
}
