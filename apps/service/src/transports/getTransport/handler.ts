import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readTransport } from "@headwater/stores/transports";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { TRANSPORT_MEMBERS, transportRecord, unknownTransport, versionOfTransport } from "../transportView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
export async function readOneTransport(
  { id, fields }: { readonly id: string; readonly fields: string | undefined },
  { number }: Account,
  { postgres, sealer }: Pick<ServicePorts, "postgres" | "sealer">,
): Promise<Answer> {
  const pick = pickFields(fields, TRANSPORT_MEMBERS);
  const row = await readTransport(postgres, number, id);
  if (row === undefined) throw unknownTransport();
  return { status: 200, body: pick(transportRecord(row, sealer)), headers: { ETag: etagOf(versionOfTransport(row)) } };
}
