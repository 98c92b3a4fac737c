import { holdAudiences } from "@headwater/audiences/audiences/audienceUses";
import { invalidRules } from "@headwater/audiences/audiences/checkCriteria";
import { audiences } from "@headwater/audiences/audiences/postgres";
import { pinned } from "@headwater/audiences/audiences/savedCriteria";
import { examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import { readAudiences } from "@headwater/audiences/criteria/knownAudiences";
import type { Account } from "@headwater/contracts";
import { criteriaReferences } from "@headwater/criteria";
import { type ErrorDetail, hasForbiddenText } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { invalidContent } from "../messages/prepareParts.ts";
import type { BatchMessageMembers } from "./batchMessages.ts";
import type { MessagePorts } from "./messagePorts.ts";

/** Members of a body that say whom a message goes to; null removes one. */
export interface AudienceInput {
  readonly audience?: Readonly<Record<string, unknown>> | null | undefined;
  readonly "audience-key"?: string | null | undefined;
}

type StoredAudienceMembers = Pick<BatchMessageMembers, "audienceKey" | "criteria" | "lists">;

interface AudiencePosition {
  readonly account: Account;
  /** JSON pointer to the member that holds the audience; default the body. */
  readonly at?: string;
}

/** An audience that was checked, before the transaction that stores it. */
export interface CheckedAudience extends StoredAudienceMembers {
  /** Keys or ids of the saved audiences that it names. */
  readonly named: readonly string[];
}

const NOBODY: CheckedAudience = { audienceKey: null, criteria: null, lists: null, named: [] };

/**
 * Checks whom a message goes to; undefined when the body does not say.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES`, or `VALIDATION_ERROR` for a key that there is not.
 */
export async function checkAudience(
  input: AudienceInput,
  { account, at = "" }: AudiencePosition,
  ports: Pick<MessagePorts, "clickHouse" | "postgres">,
): Promise<CheckedAudience | undefined> {
  const { audience: criteria, "audience-key": key } = input;
  if (criteria === undefined && key === undefined) return undefined;
  if (criteria && key)
    throw invalidContent([wrong(`${at}/audience`, "not_allowed", "`audience-key` names one already.")]);
  if (criteria) return checkCriteriaOf(criteria, { account, at }, ports);
  if (!key) return NOBODY;
  const known = hasForbiddenText(key)
    ? undefined
    : await audiences.read(ports.postgres, { account: account.number, key });
  if (known?.key !== key) throw invalidContent([unknownAudience(at)]);
  return { audienceKey: key, criteria: null, lists: null, named: [key] };
}

async function checkCriteriaOf(
  criteria: Readonly<Record<string, unknown>>,
  { account, at = "" }: AudiencePosition,
  ports: Pick<MessagePorts, "clickHouse" | "postgres">,
): Promise<CheckedAudience> {
  const examined = await examineCriteria(criteria, { account, at: `${at}/audience` }, ports);
  if (examined.kind === "invalid") throw invalidRules(examined.details);
  const { audiences, lists } = criteriaReferences(criteria);
  const pins = JSON.stringify(pinned(lists.names, examined.context));
  return { audienceKey: null, criteria: JSON.stringify(criteria), lists: pins, named: audiences };
}

/**
 * Holds the saved audiences that a message names. Runs in the transaction that writes it.
 * @returns their ids. @throws HeadwaterError 422 `VALIDATION_ERROR` for one that was deleted meanwhile.
 */
export async function resolveAudiences(
  transaction: Transaction,
  account: number,
  { named }: Pick<CheckedAudience, "named">,
  at = "",
): Promise<string[]> {
  if (named.length === 0) return [];
  const known = await readAudiences(transaction, account, named);
  const ids = [...new Set(named.flatMap((one) => known.get(one)?.id ?? []))];
  const held = await holdAudiences(transaction, account, ids);
  if (named.some((one) => !held.includes(known.get(one)?.id ?? ""))) throw invalidContent([unknownAudience(at)]);
  return held;
}

function unknownAudience(at: string) {
  return wrong(`${at}/audience-key`, "unknown_reference", "No saved audience has this key.");
}

function wrong(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}
