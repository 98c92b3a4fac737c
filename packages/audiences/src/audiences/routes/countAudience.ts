import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { waitForAfter } from "@headwater/api/consistency/after";
import { neverSeen } from "@headwater/api/paging/answerSchema";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, type Caller, defineRoute, mayUse, type Route, refusal } from "@headwater/http";
import { type ErrorDetail, hasForbiddenText } from "@headwater/kernel";
import { findContact, readPrimaryKey } from "@headwater/records/contacts/findContact";
import { z } from "zod";
import { type Checking, examineCriteria } from "../../criteria/examineCriteria.ts";
import { meantCriteria } from "../../criteria/knownAudiences.ts";
import { channelsUnlessKnown } from "../../criteria/knownNames.ts";
import { findNeverSeen } from "../../criteria/neverSeen.ts";
import type { RoutePorts } from "../../ports.ts";
import { checkCriteria, timelessRules } from "../checkCriteria.ts";
import { type CountRow, countOf, toCountAnswer } from "../countAnswer.ts";
import {
  type CountBody,
  type CountOptions,
  type CountRequest,
  countBody,
  readCountRequest,
  type SentCriteria,
} from "../countRequest.ts";
import { audiences, type StoredAudience, setLastCount } from "../postgres.ts";
import { runCriteria } from "../runCriteria.ts";

const nodeCount = z.strictObject({
  path: z.string().describe("JSON pointer into the body, or into the criteria of a saved audience."),
  count: z.number().int(),
  leftOut: z
    .strictObject({ currencies: z.record(z.string(), z.number().int()) })
    .describe("Orders that a sum left out, by their currency.")
    .optional(),
});
const contactNode = z.strictObject({
  path: z.string().describe("JSON pointer, as in `explain`."),
  in: z.boolean(),
  saw: z
    .unknown()
    .describe(
      "Of a field its value, of events, orders and records their count or sum, of a list whether the contact is on it, of a cart its lines, of a sample the contact's place in percent; null for nothing.",
    )
    .optional(),
});
const audienceAnswer = z.strictObject({
  count: z.number().int(),
  asOf: z.string(),
  exact: z.boolean(),
  in: z.boolean().describe("Whether the count holds the contact.").optional(),
  nodes: z.array(contactNode).optional(),
  explain: z.array(nodeCount).optional(),
  sample: z.array(z.string()).optional(),
  warnings: neverSeen.optional(),
  options: z.strictObject({
    asOf: z.string(),
    basis: z.enum(["recorded", "event"]),
    timezone: z.string(),
    eligibleFor: z.strictObject({ channel: z.string(), classification: z.string() }).optional(),
  }),
});

const criteriaExample = {
  and: [
    { list: "vip", op: "in" },
    { order: true, count: { op: "gte", value: 2 }, within: { last: { n: 30, unit: "day" } } },
  ],
};
const audienceExample = {
  count: 412,
  asOf: "2026-01-09T22:47:12.000Z",
  exact: true,
  options: { asOf: "2026-01-09T22:47:12.000Z", basis: "recorded", timezone: "UTC" },
};

/** Scope that a count of one contact needs as well, and for people a sample of contacts: what it says is personal. */
const CONTACT_SCOPE = "contacts:read";

/** Least time between two writes of the last count of a saved audience. */
const LAST_COUNT_EVERY_MS = 60_000;

/**
 * Counts the contacts that match.
 *
 * Throws 422 `INVALID_AUDIENCE_RULES` with all errors of the criteria, 422 `VALIDATION_ERROR` for options, 404
 * `RECORD_NOT_FOUND` for a saved audience and `CONTACTS_CONTACT_NOT_FOUND` for a contact that is not there, 403 `INSUFFICIENT_SCOPE`.
 */
async function countAudienceOf(
  body: CountBody,
  caller: Caller,
  ports: Pick<RoutePorts, "clickHouse" | "clock" | "freshness" | "aliasRevisions" | "postgres" | "seenNames">,
  signal: AbortSignal,
): Promise<Answer> {
  const { account } = caller;
  const request = readCountRequest(body, { settings: account.settings, nowMs: ports.clock.nowMs() });
  const { options } = request;
  const isPersonal = options.contact !== undefined || (caller.kind !== "key" && options.sampleSize !== undefined);
  if (isPersonal && !mayUse(caller, CONTACT_SCOPE))
    throw refusal("INSUFFICIENT_SCOPE", `The caller lacks the scope ${CONTACT_SCOPE}.`);
  // By event time the attributes and lists are those of today.
  const known = { account, asOf: options.basis === "recorded" ? options.asOf : undefined };
  const details = await problemsOf(request, known, ports);
  if (request.kind === "invalid" || details.length > 0) {
    const rules = await rulesBeside(request, { problems: details, known }, ports);
    throw refusal("VALIDATION_ERROR", "The options are invalid.", { details: [...details, ...rules] });
  }
  const saved = request.kind === "saved" ? await findSaved(request, account, ports) : undefined;
  const sent = request.kind === "saved" ? { at: "/criteria", criteria: saved && meantCriteria(saved) } : request;
  // Freshness is checked before the count, never next to it: `asOf` may only cover what the count could see.
  const checked = checkCriteria(sent.criteria, { ...known, at: sent.at }, ports);
  const [criteria, freshMs] = await Promise.all([checked, ports.freshness()]);
  const nowMs = ports.clock.nowMs();
  const at = wrapperOf(request);
  const contact = options.contact === undefined ? undefined : await findNumber(options.contact, account, ports);
  const [{ row, compiled }, warnings] = await Promise.all([
    runCriteria<CountRow>(criteria, { account, signal, nowMs, options: compileOptionsOf(options, contact) }, ports),
    findNeverSeen(criteria, { account, nowMs, at, seen: ports.seenNames, signal }, ports),
  ]);
  const count = countOf(row);
  if (saved !== undefined && options.asOf === undefined && options.eligibleFor === undefined) {
    const counted = { ...saved, count, asOf: freshMs };
    await setLastCount(ports.postgres, counted, { nowMs, everyMs: LAST_COUNT_EVERY_MS });
  }
  const answer = toCountAnswer(row, compiled, options, { nowMs, freshMs, at });
  return { status: 200, body: warnings.length === 0 ? answer : { ...answer, warnings } };
}

function compileOptionsOf({ contact: _, ...options }: CountOptions, contact: number | undefined) {
  return { ...options, ...(contact !== undefined && { contact }) };
}

async function findNumber(
  primaryKey: string,
  account: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<number> {
  const found = await findContact(postgres, account, readPrimaryKey(primaryKey, account));
  if (found === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  return found.number;
}

/** Path of the criteria in the body: those of a saved audience are not in it. */
function wrapperOf(request: CountRequest): string {
  return request.kind === "count" ? request.at : "";
}

type Ports = Pick<RoutePorts, "clickHouse" | "postgres">;

/** All that is wrong next to the criteria, or the saved audience. */
async function problemsOf(request: CountRequest, known: Checking, ports: Ports): Promise<readonly ErrorDetail[]> {
  const { options } = request;
  const own = request.kind === "invalid" ? request.details : [];
  return [...own, ...(await channelProblems(options, known.account, ports)), ...(await unrecorded(known, ports))];
}

/** A channel that nobody has, misspelt, would count nobody. */
async function channelProblems(
  { eligibleFor }: CountOptions,
  account: Account,
  ports: Pick<RoutePorts, "clickHouse">,
): Promise<readonly ErrorDetail[]> {
  const allowed = eligibleFor && (await channelsUnlessKnown(account, eligibleFor.channel, ports));
  if (eligibleFor === undefined || allowed === undefined) return [];
  const message = `The account has no channel ${JSON.stringify(eligibleFor.channel.slice(0, 64))}.`;
  return [{ path: "/eligibleFor/channel", code: "unknown_reference", message, allowed }];
}

interface Beside {
  readonly problems: readonly ErrorDetail[];
  readonly known: Checking;
}

/** Options that a past moment is read by. */
const SAYS_WHEN: ReadonlySet<string> = new Set(["/asOf", "/basis", "/timezone"]);

/** Lists what is wrong with the criteria next to wrong options, so that one answer tells all. */
async function rulesBeside(
  request: CountRequest,
  { problems, known }: Beside,
  ports: Ports,
): Promise<readonly ErrorDetail[]> {
  const sent = sentBy(request);
  if (sent === undefined) return [];
  const examined = await examineCriteria(sent.criteria, { ...known, at: sent.at }, ports);
  if (examined.kind === "ok") return [];
  const isPast = request.options.asOf !== undefined || problems.some(({ path }) => path === "/asOf");
  const isUnread = isPast && problems.some(({ path }) => SAYS_WHEN.has(path));
  return isUnread ? timelessRules(examined.details) : examined.details;
}

function sentBy(request: CountRequest): SentCriteria | undefined {
  if (request.kind === "count") return request;
  return request.kind === "invalid" ? request.sent : undefined;
}

async function findSaved(
  { by, named }: Extract<CountRequest, { kind: "saved" }>,
  { number }: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<StoredAudience> {
  const audience = hasForbiddenText(named)
    ? undefined
    : await audiences.read(postgres, { account: number, key: named });
  if (audience?.[by] === named) return audience;
  throw refusal("RECORD_NOT_FOUND", "No saved audience has this id or key.");
}

/**
 * Checks whether a past moment is recorded: history begins with the account, or with a rebuild of ClickHouse.
 * @returns `out_of_range` with the earliest moment there is, for one of which nothing is recorded.
 */
async function unrecorded(
  { account, asOf }: Checking,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<readonly ErrorDetail[]> {
  if (asOf === undefined) return [];
  const earliestMs = await readHistoryStart(postgres, account.number);
  if (asOf >= earliestMs) return [];
  const earliest = toTimestamp(earliestMs);
  const message = `The recorded history of this account begins at ${earliest}.`;
  return [{ path: "/asOf", code: "out_of_range", message, earliest }];
}

export function countAudience(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness" | "aliasRevisions" | "postgres" | "seenNames">,
): Route {
  return defineRoute({
    method: "POST",
    path: "/v2/audiencecount",
    operationId: "countAudience",
    summary: "Counts the contacts that match a criteria object.",
    tags: ["audiences"],
    answers: {
      200: { description: "The count.", schema: audienceAnswer, example: audienceExample },
      404: {
        description:
          "RECORD_NOT_FOUND: no saved audience has the `id` or `key`. CONTACTS_CONTACT_NOT_FOUND: no contact has the key in `contact`.",
      },
    },
    requestExample: criteriaExample,
    auth: "basic",
    scope: "audiencecount:read",
    rateClass: "audienceCount",
    query: z.strictObject(afterQuery),
    body: countBody,
    handler: async ({ query: { after }, body: input, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return countAudienceOf(input, caller, ports, signal);
    },
  });
}
