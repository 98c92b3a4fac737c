import { listFormerAddresses } from "@headwater/accounts/accounts/storedAddresses";
import type { Call } from "../call.ts";
import { look, type PartStatus, unknownPart } from "./parts.ts";

const PART = "stored addresses";
const ACCOUNTS_DISPLAYED = 20;

/** Checks whether addresses of an account may be stored in a former form. They are found and sent to all the same. */
export async function checkStoredAddresses({
  addresses,
  connections,
}: Pick<Call, "addresses" | "connections">): Promise<PartStatus> {
  if (addresses.POSTGRES_URL === undefined) return unknownPart(PART);
  return look(PART, async () => {
    const former = await connections.withPostgres((postgres) => listFormerAddresses(postgres, ACCOUNTS_DISPLAYED + 1));
    if (former.length === 0) return "in the form in which addresses are read";
    const names = former.slice(0, ACCOUNTS_DISPLAYED).map(({ name }) => name);
    const more = former.length > names.length ? " and others" : "";
    const detail = `may be in a former form: run headwater accounts canonicalize <account> for ${names.join(", ")}${more}`;
    return { state: "behind", detail };
  });
}
