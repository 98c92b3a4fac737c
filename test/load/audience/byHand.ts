/** Sets of contacts as somebody writes them who knows the tables and ClickHouse well: bitmaps, of what is needed alone. */

const OF_ACCOUNT = "account = {account: UInt32}";
const ALIASES = `contact_aliases FINAL WHERE ${OF_ACCOUNT}`;
const MERGED = `(SELECT groupBitmapState(contact) FROM ${ALIASES})`;

export const bitmap = (select: string) => `(SELECT groupBitmapState(contact) FROM (${select}))`;
export const both = (left: string, right: string) => `bitmapAnd(${left}, ${right})`;
export const either = (left: string, right: string) => `bitmapOr(${left}, ${right})`;
export const without = (left: string, right: string) => `bitmapAndnot(${left}, ${right})`;
export const counted = (set: string) => `SELECT bitmapCardinality(${set}) AS count`;

export const LIVE = bitmap(`SELECT contact FROM contacts_current FINAL WHERE ${OF_ACCOUNT} AND deleted = 0`);

export const field = (name: string, condition: string) =>
  bitmap(`SELECT contact FROM contact_fields_current FINAL WHERE ${OF_ACCOUNT} AND field = '${name}' AND ${condition}`);
export const SUBSCRIBED = field("channels.email.subscribeStatus", "text = 'subscribed'");
export const contacts = (condition: string) =>
  bitmap(`SELECT contact FROM contacts_current FINAL WHERE ${OF_ACCOUNT} AND deleted = 0 AND ${condition}`);
export const list = (id: number, condition = "1") =>
  bitmap(
    `SELECT contact FROM memberships_current FINAL WHERE ${OF_ACCOUNT} AND list = ${id} AND present = 1 AND ${condition}`,
  );

/** Orders that count; of some contacts those in groups that pass. */
export const orders = (condition: string, having?: string) => {
  const rows = `SELECT contact FROM orders_current FINAL WHERE ${OF_ACCOUNT} AND deleted = 0 AND counts = 1 AND ${condition}`;
  return bitmap(having === undefined ? rows : `${rows} GROUP BY contact HAVING ${having}`);
};

/** Contacts with such an activity; numbers of merged contacts become their survivors'. */
export const events = (condition: string) => {
  const set = bitmap(`SELECT contact FROM activities WHERE ${OF_ACCOUNT} AND ${condition}`);
  const gone = both(set, MERGED);
  const survivors = `(SELECT groupBitmapState(survivor) FROM ${ALIASES} AND bitmapContains(${gone}, contact))`;
  return either(without(set, MERGED), survivors);
};

/** Contacts whose activities pass together. */
export const eventsOf = (condition: string, having: string) => {
  const aliases = `(SELECT contact AS merged, survivor FROM ${ALIASES})`;
  const owner = "if(a.survivor = 0, r.contact, a.survivor)";
  return `(SELECT groupBitmapState(owner) FROM (SELECT ${owner} AS owner FROM activities AS r LEFT ANY JOIN ${aliases} AS a ON r.contact = a.merged
    WHERE ${OF_ACCOUNT} AND ${condition} GROUP BY owner HAVING ${having}))`;
};

export const ago = (days: number) => `now64(3) - INTERVAL ${days} DAY`;
export const since = (days: number) => `time >= ${ago(days)}`;
export const last = (n: number) => ({ last: { n, unit: "day" } });
