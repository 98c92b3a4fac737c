import { type ApiKey, listApiKeys, revokeApiKey } from "@headwater/accounts/accounts/apiKeys";
import { type IssuedApiKey, issueApiKey } from "@headwater/accounts/accounts/issueApiKey";
import { type NewApiKeyBody, newApiKeyBody, parseTime, toTimestamp } from "@headwater/contracts";
import { HeadwaterError, hashApiKey, newAccountId, newApiKey, safeParse, toDetails } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { accountOf } from "../accounts/accountBook.ts";
import { noteOperator } from "../accounts/noteOperator.ts";
import { validationError } from "../failure.ts";
import type { Row } from "../output/formats.ts";
import type { KeyAdmin } from "./keyAdmin.ts";

const PREFIX_CHARACTERS = 8;

/** The keys of an account by its id or name, in the database. @throws HeadwaterError RECORD_NOT_FOUND. */
export async function storedBook(postgres: Postgres, idOrName: string): Promise<KeyAdmin> {
  const { number, settings } = await accountOf(postgres, idOrName);
  return {
    async list() {
      const keys = await listApiKeys(postgres, number);
      return keys.filter(({ revokedAt }) => revokedAt === null).map(toRow);
    },
    async make(input) {
      const body = checked(input);
      const key = newApiKey();
      const expiresAt = expiryOf(body, settings.timezone);
      const issued = await postgres.transaction(async (transaction) => {
        const wanted = { body, id: newAccountId(), account: number, hash: hashApiKey(key) };
        const prefix = key.slice(0, PREFIX_CHARACTERS);
        const created = await issueApiKey(transaction, { ...wanted, prefix, ...(expiresAt && { expiresAt }) });
        const message = "Creates a key, or rotates an existing one.";
        const act = { account: number, action: "createApikey", message, target: wanted.id };
        if (created.kind === "issued") await noteOperator(transaction, act);
        return created;
      });
      if (issued.kind !== "issued") throw refused(issued);
      return { ...toRow(issued.key), key };
    },
    async revoke(id) {
      await postgres.transaction(async (transaction) => {
        if ((await revokeApiKey(transaction, number, id)) === undefined) throw notFound();
        const message = "Revokes a key.";
        await noteOperator(transaction, { account: number, action: "deleteApikey", message, target: id });
      });
    },
  };
}

function toRow(key: ApiKey): Row {
  const at = (date: Date | null) => (date === null ? undefined : toTimestamp(date.getTime()));
  const { id, name, prefix, scopes, allowIps, rotates } = key;
  const row = {
    ...{ id, name, prefix, scopes, allowIPs: allowIps ?? undefined, rotates: rotates ?? undefined },
    ...{ expiresAt: at(key.expiresAt), ct: at(key.createdAt), lastUsedAt: at(key.lastUsedAt) },
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function checked(body: NewApiKeyBody): NewApiKeyBody {
  const parsed = safeParse(newApiKeyBody, body);
  if (parsed.success) return parsed.data;
  throw validationError("The key cannot be created:", toDetails(parsed.error));
}

function expiryOf({ expiresAt }: NewApiKeyBody, timezone: string): Date | undefined {
  if (expiresAt === undefined) return undefined;
  const at = parseTime(expiresAt, timezone);
  if (at !== undefined && at > Date.now()) return new Date(at);
  throw validationError("The key's end is no date or timestamp of ISO 8601, or it is past.");
}

function refused({ kind }: Exclude<IssuedApiKey, { kind: "issued" }>): HeadwaterError {
  switch (kind) {
    case "replacedAlready":
      return validationError("It is being replaced by another key already: revoke that one first.");
    case "tooMany":
      return validationError("The account has reached its key limit. Revoke one first.");
    default:
      return notFound();
  }
}

function notFound(): HeadwaterError {
  return new HeadwaterError({
    code: "RECORD_NOT_FOUND",
    status: 404,
    publicMessage: "The key does not exist, was revoked or has expired.",
  });
}
