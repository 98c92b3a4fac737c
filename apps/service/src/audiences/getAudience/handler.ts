import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { examineCriteria, meantCriteria } from "@headwater/projection";
import { readAudience } from "@headwater/stores/audiences";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { AUDIENCE_MEMBERS, audienceRecord, versionOfAudience } from "../audienceView.ts";
import { shownCriteria } from "../shownCriteria.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
export async function readOneAudience(
  { named, fields }: { readonly named: string; readonly fields: string | undefined },
  account: Account,
  ports: Pick<ServicePorts, "postgres" | "clickHouse">,
): Promise<Answer> {
  const pick = pickFields(fields, AUDIENCE_MEMBERS);
  const { postgres } = ports;
  const row = await readAudience(postgres, account.number, named);
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No saved audience has this key or id.");
  const [criteria] = await shownCriteria(postgres, [row]);
  const isAsked = "problems" in pick({ problems: [] });
  const examined = isAsked ? await examineCriteria(meantCriteria(row), { account, at: "/criteria" }, ports) : undefined;
  const problems = examined?.kind === "invalid" ? { problems: examined.details } : {};
  const body = pick({ ...audienceRecord(row, criteria), ...problems });
  return { status: 200, body, headers: { ETag: etagOf(versionOfAudience(row)) } };
}
