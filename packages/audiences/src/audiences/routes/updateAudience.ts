import { isDeepStrictEqual } from "node:util";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type ReadBody, type Route, readByHandler, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import * as audiences from "../audiences.ts";
import { setAudiencesUsed } from "../audienceUses.ts";
import {
  audienceMembers,
  audienceParams,
  audienceWritten,
  versionOfAudience,
  writtenExample,
} from "../audienceView.ts";
import { readAudienceBody } from "../readAudienceBody.ts";
import { type CheckedCriteria, settleCriteria } from "../savedCriteria.ts";

export const body = z.object({ ...audienceMembers, key: storableText(1_024) }).partial();
type AudienceChanges = z.output<typeof body>;

const requestExample = {
  name: "Opened something in 60 days",
  criteria: { event: "open", within: { last: { n: 60, unit: "day" } } },
};

interface AudienceChange {
  /** Its key or id. */
  readonly named: string;
  /** The body as it was sent. */
  readonly given: ReadBody<z.output<typeof body>>;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for criteria or another key. What changes nothing writes nothing. */
async function updateAudienceOnce(
  call: OnceCall,
  { named, given, ifMatch }: AudienceChange,
  { postgres, clickHouse, clock }: Pick<RoutePorts, "postgres" | "clickHouse" | "clock">,
): Promise<Answer> {
  const { account } = call.caller;
  const reading = { account, named, ports: { postgres, clickHouse } };
  const { audience: changes, checked } = await readAudienceBody(given, reading);
  return runOnce(postgres, call, async (transaction) => {
    await audiences.lockAudiences(transaction, account.number);
    const known = await audiences.lockAudience(transaction, account.number, named);
    if (known === undefined) throw refusal("RECORD_NOT_FOUND", "No saved audience has this key or id.");
    if (changes.key !== undefined && changes.key !== known.key) throw keyStays();
    expectVersion(ifMatch, versionOfAudience(known));
    const members = await settle(known, { changes, checked }, transaction);
    if (!isDeepStrictEqual(members, membersOf(known))) {
      await audiences.updateAudience(transaction, { account: account.number, id: known.id, ...members }, clock.nowMs());
    }
    const changed = { success: true, id: known.id, key: known.key };
    const headers = { ETag: etagOf(versionOfAudience(members)) };
    return { answer: { status: 200, body: changed, headers }, kept: changed };
  });
}

/** Absent = unchanged; criteria are given as a whole. */
async function settle(
  known: audiences.StoredAudience,
  { changes, checked }: { readonly changes: AudienceChanges; readonly checked: CheckedCriteria | undefined },
  transaction: Transaction,
): Promise<audiences.AudienceMembers> {
  const before = membersOf(known);
  const { name = before.name, description = before.description, tags = before.tags } = changes;
  if (checked === undefined) return { ...before, name, description, tags };
  const { account, id } = known;
  const { used, ...saved } = await settleCriteria(checked, { account, self: known, transaction });
  await setAudiencesUsed(transaction, { account, id }, used);
  return { name, description, tags, ...saved };
}

function membersOf({ name, description, tags, criteria, lists }: audiences.StoredAudience): audiences.AudienceMembers {
  return { name, description, tags, criteria, lists };
}

function keyStays() {
  const message = "`key` cannot be changed.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/key", code: "not_allowed", message }] });
}

export function updateAudience(ports: WritePorts & Pick<RoutePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/audiences/{key}",
    operationId: "updateAudience",
    summary: "Updates a saved audience by its key or id. Absent members stay unchanged, criteria are given as a whole.",
    tags: ["audiences"],
    answers: {
      200: { description: "The updated audience.", schema: audienceWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no saved audience has this key or id." },
    },
    scope: "audiences:write",
    target: "key",
    params: audienceParams,
    body: readByHandler(body),
    requestExample,
    ifMatch: true,
    handler: ({ params: { key: named }, body: given, once, header }) =>
      updateAudienceOnce(once, { named, given, ifMatch: header("if-match") }, ports),
  });
}
