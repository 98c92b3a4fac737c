import { waitForAfter } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { examineCriteria } from "../../criteria/examineCriteria.ts";
import { meantCriteria } from "../../criteria/knownAudiences.ts";
import type { RoutePorts } from "../../ports.ts";
import { readAudience } from "../audiences.ts";
import {
  AUDIENCE_MEMBERS,
  audienceExample,
  audienceParams,
  audienceRecord,
  audienceShape,
  versionOfAudience,
} from "../audienceView.ts";
import { shownCriteria } from "../shownCriteria.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
async function readOneAudience(
  { named, fields }: { readonly named: string; readonly fields: string | undefined },
  account: Account,
  ports: Pick<RoutePorts, "postgres" | "clickHouse">,
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

export function getAudience(ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/audiences/{key}",
    operationId: "getAudience",
    summary: "Returns a saved audience by its key or id.",
    description:
      "`problems` names what its criteria refer to that was deleted since: until it is mended, a count is a 422.",
    tags: ["audiences"],
    answers: { 200: { description: "The audience.", schema: audienceShape.partial(), example: audienceExample } },
    auth: "basic",
    scope: "audiences:read",
    rateClass: "read",
    params: audienceParams,
    query,
    handler: async ({ params: { key: named }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneAudience({ named, fields }, caller.account, ports);
    },
  });
}
