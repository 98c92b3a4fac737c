const hash = (salt: number) => `cityHash64(number, ${salt})`;

/** A version whose time is the moment. */
export function version(instant: string): string {
  return `rightPad(substring(leftPad(lower(hex(toUInt64(toUnixTimestamp64Milli(${instant})))), 12, '0'), 2), 32, '0')`;
}

/** Half a year, in seconds: every value was written once in the half year before the last one, and once in it. */
const HALF_YEAR_S = 15_768_000;
const written = (of: string, isOld: boolean) =>
  `now64(3) - toIntervalSecond(${isOld ? HALF_YEAR_S : 0} + 1 + cityHash64(${of}, ${isOld}) % ${HALF_YEAR_S})`;

interface Rows {
  readonly account: number;
  /** The contacts that one statement writes, as a table of their numbers, less one. */
  readonly numbers: string;
  /** Values have a history, which ends in the current ones. */
  readonly isPast: boolean;
  /** A condition on the contact's number, less one. */
  readonly isThere: string;
}

interface FieldRows extends Rows {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly number: string;
}

/** Statements that write a field of all contacts. Of the earlier version a tenth had the value of a neighbour. */
export function fieldRows({ account, numbers, isPast, isThere, name, kind, text, number }: FieldRows): string[] {
  const columns = `${account}, '${name}', contact, '${kind}', ${text}, ${number}, ${version("at")}`;
  const rows = (isOld: boolean) => `FROM (
      SELECT base + 1 AS contact, base + ${isOld ? "(base % 10 = 0)" : "0"} AS number, ${written(`base, '${name}'`, isOld)} AS at
      FROM (SELECT number AS base FROM ${numbers} WHERE ${isThere}))`;
  const names = "(account, field, contact, kind, text, number, version";
  const history = (isOld: boolean) =>
    `INSERT INTO contact_fields_history ${names}, at) SELECT ${columns}, at ${rows(isOld)}`;
  const current = `INSERT INTO contact_fields_current ${names}, revision) SELECT ${columns}, 1 ${rows(false)}`;
  return isPast ? [history(true), history(false), current] : [current];
}

interface MembershipRows extends Rows {
  readonly list: number;
  readonly isMember: string;
}

/** Statements that write a list's members, of whom a tenth had left it before they joined again. */
export function membershipRows({ account, numbers, isPast, isThere, list, isMember }: MembershipRows): string[] {
  const rows = (isOld: boolean) => `FROM (SELECT number, ${written(`number, ${list}`, isOld)} AS at
    FROM ${numbers} WHERE ${isThere} AND ${isMember})`;
  const columns = (isOld: boolean) =>
    `${account}, ${list}, number + 1, ${isOld ? "number % 10 != 0" : "1"}, at, ${version("at")}`;
  const names = "(account, list, contact, present, joined_at, version";
  const history = (isOld: boolean) =>
    `INSERT INTO memberships_history ${names}, at) SELECT ${columns(isOld)}, at ${rows(isOld)}`;
  const current = `INSERT INTO memberships_current ${names}, revision) SELECT ${columns(false)}, 1 ${rows(false)}`;
  return isPast ? [history(true), history(false), current] : [current];
}

interface OrderRows {
  readonly account: number;
  readonly contacts: number;
  /** The orders that one statement writes, as a table of their numbers. */
  readonly numbers: string;
}

/** Statements that write orders of two years with their history: each was completed, and some were cancelled within days. */
export function orderRows({ account, contacts, numbers }: OrderRows): string[] {
  const columns =
    "account, order_id, contact, purchased_at, status, counts, currency, total, document, deleted, version";
  const rows = (
    isLast: boolean,
  ) => `WITH toDecimal64(${hash(20)} % 40000 / 100, 4) AS amount, ${isLast ? `${hash(21)} % 20 = 0` : "0"} AS cancelled,
      now64(3) - toIntervalSecond(600000 + ${hash(23)} % 63000000) AS bought, bought + toIntervalSecond(${isLast ? `1 + ${hash(24)} % 500000` : "0"}) AS at
    SELECT ${account} AS account, concat('A-', toString(number)) AS order_id, 1 + ${hash(22)} % ${contacts} AS owner, owner - (owner % 100 = 0) AS contact, bought AS purchased_at,
      if(cancelled, 'cancelled', 'completed') AS status, if(cancelled, 0, 1) AS counts, 'USD' AS currency, amount AS total,
      concat('{"orderID":"A-', toString(number), '","status":"', status, '","totalAmount":"', toString(amount), '","items":[{"productID":"p', toString(number % 999),
        '","category":"', ['Shoes', 'Jackets', 'Kitchen', 'Garden'][1 + ${hash(25)} % 4], '","qty":1}]}') AS document, 0 AS deleted, ${version("at")} AS version, at
    FROM ${numbers}`;
  const history = (isLast: boolean) =>
    `INSERT INTO orders_history (${columns}, at, revision) SELECT ${columns}, at, ${isLast ? 2 : 1} FROM (${rows(isLast)})`;
  const current = `INSERT INTO orders_current (${columns}, revision) SELECT ${columns}, 2 FROM (${rows(true)})`;
  return [history(false), history(true), current];
}
