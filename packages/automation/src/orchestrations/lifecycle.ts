import { holdAudiences, readAudiencesUsedBy, setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import { bodyRefusal } from "@headwater/http";
import { addListeners, deleteListeners, LISTENERS_MAX } from "@headwater/intake/triggers/listeners";
import { setTemplatesUsedBy } from "@headwater/messaging/templates/templateUses";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { deleteAudienceTrigger, setAudienceTrigger } from "../runs/audienceRows.ts";
import { hasLiveRuns } from "../runs/runCounts.ts";
import { freeRunSends, holdRunSends } from "../runs/sendRows.ts";
import { insertSweep } from "../runs/sweepRows.ts";
import { templatesOf } from "./checks.ts";
import { actionsOf } from "./facts.ts";
import {
  insertVersion,
  type OrchestrationName,
  type PublishedVersion,
  readContent,
  type StoredOrchestration,
} from "./postgres.ts";

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
export async function afterWrite(
  transaction: Transaction,
  { before, after, published }: OrchestrationWrite,
): Promise<void> {
  const name = { account: after.account, orchestration: after.orchestrationID };
  await listen(transaction, { after, ...name });
  await countAudience(transaction, { before, after, ...name });
  if (!after.isEnabled && before?.isEnabled === true) await holdRunSends(transaction, name);
  if (after.isEnabled && before?.isEnabled === false) {
    await freeRunSends(transaction, name);
    await insertSweep(transaction, { ...name, kind: "wake" });
  }
  if (published === undefined) return;
  const { version, audiences } = published;
  const { account, orchestration, compositionId, composition } = version;
  await insertVersion(transaction, version);
  const held = await holdAudiences(transaction, account, audiences);
  if (held.length < audiences.length) throw new WriteConflict("a saved audience of the version was deleted");
  const user = { account, kind: "orchestration", userId: orchestration } as const;
  // Runs of former versions still ask for the audiences of theirs.
  const former = (await hasLiveRuns(transaction, { account, orchestration }))
    ? await readAudiencesUsedBy(transaction, user)
    : [];
  await setAudiencesUsedBy(transaction, user, [...new Set([...former, ...held])]);
  const templates = templatesOf(composition.actions);
  await setTemplatesUsedBy(transaction, { account, orchestration, compositionId }, templates);
  if (version.migration === undefined) return;
  await insertSweep(transaction, { account, orchestration, kind: "migrate", version: version.version });
}

/**
 * Listens for the activities of the version that new runs follow, from the first time that it is enabled on: also while it is disabled, because
 * its runs keep what they see. Runs of former versions listen on.
 */
async function listen(
  transaction: Transaction,
  { after, account, orchestration }: Pick<OrchestrationWrite, "after"> & OrchestrationName,
): Promise<void> {
  const { published } = readContent(after);
  if (published === undefined || after.enabledAt === null) return;
  if (await addListeners(transaction, listenerOf({ account, orchestration }), actionsOf(published))) return;
  const message = `All orchestrations and webhooks of an account can listen for at most ${LISTENERS_MAX} activities.`;
  throw bodyRefusal([{ path: "/status", code: "too_many", message }]);
}

/** Counts the audience of the version that new runs follow while it is enabled: who enters it in the meantime starts nothing. */
async function countAudience(
  transaction: Transaction,
  { before, after, ...name }: Pick<OrchestrationWrite, "before" | "after"> & OrchestrationName,
): Promise<void> {
  const { published } = readContent(after);
  const { audience, existing } = published?.trigger ?? {};
  if (audience === undefined || !after.isEnabled) return deleteAudienceTrigger(transaction, name);
  const since = Math.max(after.enabledAt ?? 0, after.publishedAt ?? 0);
  const isFirst = (before?.enabledAt ?? null) === null;
  await setAudienceTrigger(transaction, { ...name, audience, countedAt: existing === true && isFirst ? 0 : since });
}

function listenerOf({ account, orchestration }: OrchestrationName) {
  return { account, holder: `orchestration:${orchestration}` };
}

/** Releases what an orchestration uses, in the transaction that deletes it. */
export async function beforeDelete(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<void> {
  await setAudiencesUsedBy(transaction, { account, kind: "orchestration", userId: orchestration }, []);
  await setTemplatesUsedBy(transaction, { account, orchestration }, []);
  await deleteAudienceTrigger(transaction, { account, orchestration });
  await deleteListeners(transaction, listenerOf({ account, orchestration }));
  await insertSweep(transaction, { account, orchestration, kind: "delete" });
}
