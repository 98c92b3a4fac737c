/** Statements that somebody would write by hand for the same rows: one a call, planned once. `$1` is the account. */
const ROW = "c.cid, c.created_at, c.modified_at, c.version, c.doc";
const LISTS = `(SELECT json_agg(json_build_object('name', l.name, 'joined_at', m.joined_at)) FROM memberships m
  JOIN lists l ON l.account = m.account AND l.id = m.list
  WHERE m.account = c.account AND m.contact = c.number AND m.present AND l.deleted_at IS NULL) AS lists`;

export const bareReads = {
  contact: {
    name: "contact",
    text: `SELECT ${ROW}, ${LISTS} FROM contact_identifiers i JOIN contacts c ON c.account = i.account AND c.number = i.contact
      WHERE i.account = $1 AND i.name = 'email' AND i.value = $2`,
  },
  order: {
    name: "order",
    text: `SELECT o.order_id, o.purchased_at, o.version, o.doc, c.cid FROM orders o
      JOIN contacts c ON c.account = o.account AND c.number = o.contact WHERE o.account = $1 AND o.order_id = $2`,
  },
  record: {
    name: "record",
    text: `SELECT r.id, r.created_at, r.modified_at, r.doc, c.cid FROM supplements s
      JOIN supplement_records r ON r.account = s.account AND r.supplement = s.id
      LEFT JOIN contacts c ON c.account = r.account AND c.number = r.contact
      WHERE s.account = $1 AND s.key = $2 AND r.id = $3`,
  },
} as const;

/** `$2` is the key of the last row of the page before, `$3` how many. */
export const barePages = {
  contacts: {
    name: "contacts",
    text: `SELECT ${ROW}, ${LISTS} FROM contacts c WHERE c.account = $1 AND c.number > $2 AND c.merged_into IS NULL
      ORDER BY c.number LIMIT $3`,
  },
  members: {
    name: "members",
    text: `SELECT ${ROW}, ${LISTS} FROM memberships k JOIN contacts c ON c.account = k.account AND c.number = k.contact
      WHERE k.account = $1 AND k.list = 2 AND k.present AND k.contact > $2 ORDER BY k.contact LIMIT $3`,
  },
  orders: {
    name: "orders",
    text: `SELECT o.order_id, o.purchased_at, o.version, o.doc, c.cid FROM orders o
      JOIN contacts c ON c.account = o.account AND c.number = o.contact
      WHERE o.account = $1 AND o.purchased_at < $2 ORDER BY o.purchased_at DESC, o.order_id DESC LIMIT $3`,
  },
} as const;
export type PageName = keyof typeof barePages;

/** A write's rows, in one transaction: the row itself, what finds it, a change record and the write's own row. */
export const bareWrites = {
  contact: {
    name: "contact_write",
    text: `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, revision, merged_into, doc)
      VALUES ($1, $2, $3, $4, $4, $5, $2, NULL, $6) ON CONFLICT (account, number)
      DO UPDATE SET modified_at = EXCLUDED.modified_at, version = EXCLUDED.version, doc = EXCLUDED.doc`,
  },
  identifiers: {
    name: "identifiers_write",
    text: `INSERT INTO contact_identifiers (account, name, value, contact)
      VALUES ($1, 'email', $3, $2), ($1, 'customer_id', $4, $2) ON CONFLICT DO NOTHING`,
  },
  order: {
    name: "order_write",
    text: `INSERT INTO orders (account, order_id, contact, purchased_at, version, revision, doc) VALUES ($1, $2, 1, $3, $4, 1, $5)
      ON CONFLICT (account, order_id) DO UPDATE SET version = EXCLUDED.version, doc = EXCLUDED.doc`,
  },
  record: {
    name: "record_write",
    text: `INSERT INTO supplement_records (account, supplement, id, contact, created_at, modified_at, version, revision, doc)
      VALUES ($1, 1, $2, 1, $3, $3, $4, 1, $5)
      ON CONFLICT (account, supplement, id) DO UPDATE SET version = EXCLUDED.version, doc = EXCLUDED.doc`,
  },
  entry: {
    name: "entry_write",
    text: "INSERT INTO supplement_index_entries (account, supplement, slot, key, id) VALUES ($1, 1, 1, $2, $3) ON CONFLICT DO NOTHING",
  },
  outbox: {
    name: "outbox_write",
    text: "INSERT INTO outbox (position, topic, source_partition, payload) VALUES (nextval('outbox_positions'), $1, 0, $2)",
  },
  own: {
    name: "own_write",
    text: "INSERT INTO v2_writes (account, version, kind, record_id) VALUES ($1, $2, 'v2', $3)",
  },
} as const;
