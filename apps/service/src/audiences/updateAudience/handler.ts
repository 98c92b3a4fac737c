import { isDeepStrictEqual } from "node:util";
import { type Answer, refusal } from "@headwater/http";
import {
  type AudienceMembers,
  lockAudience,
  lockAudiences,
  type StoredAudience,
  setAudiencesUsed,
  updateAudience,
} from "@headwater/stores/audiences";
import type { Transaction } from "@headwater/stores/postgres";
import type { z } from "zod";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { versionOfAudience } from "../audienceView.ts";
import { type anyBody, readAudienceBody } from "../readAudienceBody.ts";
import { type CheckedCriteria, settleCriteria } from "../savedCriteria.ts";
import { type AudienceChanges, body } from "./schema.ts";

interface AudienceChange {
  /** Its key or id. */
  readonly named: string;
  /** The body as it was sent. */
  readonly given: z.output<typeof anyBody>;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for criteria or another key. What changes nothing writes nothing. */
export async function changeAudience(
  call: OnceCall,
  { named, given, ifMatch }: AudienceChange,
  { postgres, clickHouse, clock }: Pick<ServicePorts, "postgres" | "clickHouse" | "clock">,
): Promise<Answer> {
  const { account } = call.caller;
  const reading = { account, named, ports: { postgres, clickHouse } };
  const { audience: changes, checked } = await readAudienceBody(body, given, reading);
  return runOnce(postgres, call, async (transaction) => {
    await lockAudiences(transaction, account.number);
    const known = await lockAudience(transaction, account.number, named);
    if (known === undefined) throw refusal("RECORD_NOT_FOUND", "No saved audience has this key or id.");
    if (changes.key !== undefined && changes.key !== known.key) throw keyStays();
    expectVersion(ifMatch, versionOfAudience(known));
    const members = await settle(known, { changes, checked }, transaction);
    if (!isDeepStrictEqual(members, membersOf(known))) {
      await updateAudience(transaction, { account: account.number, id: known.id, ...members }, clock.nowMs());
    }
    const changed = { success: true, id: known.id, key: known.key };
    const headers = { ETag: etagOf(versionOfAudience(members)) };
    return { answer: { status: 200, body: changed, headers }, kept: changed };
  });
}

/** Absent = unchanged; criteria are given as a whole. */
async function settle(
  known: StoredAudience,
  { changes, checked }: { readonly changes: AudienceChanges; readonly checked: CheckedCriteria | undefined },
  transaction: Transaction,
): Promise<AudienceMembers> {
  const before = membersOf(known);
  const { name = before.name, description = before.description, tags = before.tags } = changes;
  if (checked === undefined) return { ...before, name, description, tags };
  const { account, id } = known;
  const { used, ...saved } = await settleCriteria(checked, { account, self: known, transaction });
  await setAudiencesUsed(transaction, { account, id }, used);
  return { name, description, tags, ...saved };
}

function membersOf({ name, description, tags, criteria, lists }: StoredAudience): AudienceMembers {
  return { name, description, tags, criteria, lists };
}

function keyStays() {
  const message = "`key` cannot be changed.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/key", code: "not_allowed", message }] });
}
