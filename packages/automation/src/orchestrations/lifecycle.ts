import { holdAudiences, setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import { setTemplatesUsedBy } from "@headwater/messaging/templates/templateUses";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { templatesOf } from "./checks.ts";
import { insertVersion, type OrchestrationName, type PublishedVersion, type StoredOrchestration } from "./postgres.ts";

/** A write of an orchestration, in its transaction: it was created, changed, published, enabled or disabled. */
export interface OrchestrationWrite {
  /** Row before the write; undefined for a new orchestration. */
  readonly before: StoredOrchestration | undefined;
  readonly after: StoredOrchestration;
  /** Version that new runs follow from now on, with the ids of the saved audiences that it names; undefined where none was published. */
  readonly published: { readonly version: PublishedVersion; readonly audiences: readonly string[] } | undefined;
}

/**
 * Stores what follows from a write of an orchestration.
 * @throws WriteConflict when an audience was deleted since the draft was checked.
 */
export async function afterWrite(transaction: Transaction, { published }: OrchestrationWrite): Promise<void> {
  if (published === undefined) return;
  const { version, audiences } = published;
  const { account, orchestration, compositionId, composition } = version;
  await insertVersion(transaction, version);
  const held = await holdAudiences(transaction, account, audiences);
  if (held.length < audiences.length) throw new WriteConflict("a saved audience of the version was deleted");
  await setAudiencesUsedBy(transaction, { account, kind: "orchestration", userId: orchestration }, held);
  const templates = templatesOf(composition.actions);
  await setTemplatesUsedBy(transaction, { account, orchestration, compositionId }, templates);
}

/** Releases what an orchestration uses, in the transaction that deletes it. */
export async function beforeDelete(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<void> {
  await setAudiencesUsedBy(transaction, { account, kind: "orchestration", userId: orchestration }, []);
  await setTemplatesUsedBy(transaction, { account, orchestration }, []);
}
