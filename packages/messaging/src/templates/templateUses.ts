import { textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";

/** An orchestration whose steps send templates, and its version; without one it sends nothing from now on. */
export interface TemplateUser {
  readonly account: number;
  /** Both are 24 hex characters. */
  readonly orchestration: string;
  readonly compositionId?: string;
}

const outdateStatement = {
  name: "template_uses_outdate",
  text: "UPDATE orchestration_templates SET is_current = false WHERE account = $1 AND orchestration = $2 AND is_current",
};
const insertStatement = {
  name: "template_uses_insert",
  text: `INSERT INTO orchestration_templates (account, orchestration, composition_id, template, is_current)
    SELECT $1, $2, $3, used, true FROM unnest($4::text[]) AS used`,
};
const deleteStatement = {
  name: "template_uses_delete",
  text: "DELETE FROM orchestration_templates WHERE account = $1 AND orchestration = $2",
};

/** Stores which templates the steps of a version send, by key: that version is the one that new runs follow. */
export async function setTemplatesUsedBy(
  transaction: Transaction,
  { account, orchestration, compositionId }: TemplateUser,
  keys: readonly string[],
): Promise<void> {
  const name = [account, orchestration];
  if (compositionId === undefined) {
    await transaction.execute(deleteStatement, name);
    return;
  }
  await transaction.execute(outdateStatement, name);
  if (keys.length === 0) return;
  await transaction.execute(insertStatement, [...name, compositionId, textArray(keys, (key) => key)]);
}

/** Condition of the templates that an orchestration sends, or one of its versions. @param user parameter of its id. */
export function isSentBy(kind: "orchestration" | "composition", user: string): string {
  const id = kind === "composition" ? `composition_id = ${user}` : `orchestration = ${user} AND is_current`;
  return `EXISTS (SELECT 1 FROM orchestration_templates u
    WHERE u.account = automation_templates.account AND u.template = automation_templates.key AND u.${id})`;
}
