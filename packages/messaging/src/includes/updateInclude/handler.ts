import { isDeepStrictEqual } from "node:util";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { type Answer, refusal } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { type IncludeMembers, lockInclude, updateInclude } from "../includes.ts";
import { includeRecord, versionOfInclude } from "../includeView.ts";
import { checkInclude, checkIncludesOf } from "../settleInclude.ts";
import type { IncludeChanges } from "./schema.ts";

interface IncludeChange {
  readonly key: string;
  readonly changes: IncludeChanges;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for another key than that of the path and for mistakes of the content. What changes nothing writes nothing. */
export async function updateIncludeOnce(
  call: OnceCall,
  { key, changes, ifMatch }: IncludeChange,
  ports: Pick<RoutePorts, "clock" | "postgres" | "renders">,
): Promise<Answer> {
  if (changes.key !== undefined && changes.key !== key) throw keyStays();
  const account = call.caller.account.number;
  const { content: given } = changes;
  const includes = given === undefined ? undefined : await checkInclude({ account, key }, given, ports);
  return runOnce(ports.postgres, call, async (transaction) => {
    const known = await lockInclude(transaction, { account, key });
    if (known === undefined) throw refusal("RECORD_NOT_FOUND", "No include has this key.");
    expectVersion(ifMatch, versionOfInclude(known));
    const { content, name, description, tags } = known;
    const before = { content, name, description, tags };
    const members = changed(before, changes);
    if (includes !== undefined) await checkIncludesOf(transaction, { account, key }, includes);
    if (!isDeepStrictEqual(members, before)) {
      await updateInclude(transaction, { account, key, ...members }, ports.clock.nowMs());
    }
    const body = { success: true, key };
    const headers = { ETag: etagOf(versionOfInclude(members)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: includeRecord(known) };
  });
}

/** Absent = unchanged. */
function changed(before: IncludeMembers, changes: IncludeChanges): IncludeMembers {
  const { content = before.content, name = before.name } = changes;
  const { description = before.description, tags = before.tags } = changes;
  return { content, name, description, tags };
}

function keyStays() {
  const message = "`key` cannot be changed.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/key", code: "not_allowed", message }] });
}
