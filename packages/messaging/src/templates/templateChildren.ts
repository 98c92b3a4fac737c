import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Names a day or an hour of a template. */
export interface TemplateChildKey {
  readonly account: number;
  /** `<mdtID>:dYYMMDD` or `<mdtID>:hYYMMDDHH`. */
  readonly id: string;
}

export interface NewTemplateChild extends TemplateChildKey {
  readonly mdtId: string;
  /** First send, milliseconds since 1970. */
  readonly createdAt: number;
  /** End of the day or hour. */
  readonly endsAt: number;
}

export interface TemplateChild extends NewTemplateChild {
  /** Key of the template. */
  readonly key: string;
  readonly channel: string;
  readonly tags: readonly string[] | null;
  readonly transportId: string | null;
  /** JSON text: the template's. */
  readonly settings: string;
}

const insertStatement = {
  name: "template_children_insert",
  text: `INSERT INTO template_children (account, id, mdt_id, key, channel, tags, settings, created_at, ends_at)
    SELECT account, $2, mdt_id, key, channel, tags, settings, $4, $5 FROM automation_templates WHERE account = $1 AND mdt_id = $3
    ON CONFLICT (account, id) DO NOTHING`,
};
const readStatement = {
  name: "template_children_read",
  text: `SELECT c.account, c.id, c.mdt_id AS "mdtId", c.key, c.channel, CASE WHEN t.key IS NULL THEN c.tags ELSE t.tags END AS tags,
      t.transport_id AS "transportId", COALESCE(t.settings, c.settings) AS settings, c.created_at AS "createdAt", c.ends_at AS "endsAt"
    FROM template_children c LEFT JOIN automation_templates t ON t.account = c.account AND t.mdt_id = c.mdt_id
    WHERE c.account = $1 AND c.id = ANY ($2::text[])`,
};

/** Remembers that a day or an hour of a template has sends; one that is known stays as it is. */
export async function noteTemplateChild(
  transaction: Transaction,
  { account, id, mdtId, createdAt, endsAt }: NewTemplateChild,
): Promise<void> {
  await transaction.execute(insertStatement, [account, id, mdtId, createdAt, endsAt]);
}

/** Returns those of the children that there are, as their templates are now. */
export function readTemplateChildren(
  session: Session,
  account: number,
  ids: readonly string[],
): Promise<TemplateChild[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return session.query<TemplateChild>(readStatement, [account, textArray(ids, (id) => id)]);
}
