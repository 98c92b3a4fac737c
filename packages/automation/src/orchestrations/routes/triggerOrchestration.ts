import { type OnceCall, orFirstAnswer, runOnce } from "@headwater/api/idempotency/runOnce";
import type { RoutePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { checkCriteria } from "@headwater/audiences/audiences/checkCriteria";
import { holdsAt, membersAt } from "@headwater/audiences/criteria/membersAt";
import { type Account, shapes } from "@headwater/contracts";
import { type Answer, bodyRefusal, type ReadBody, type Route, readByHandler, refusal } from "@headwater/http";
import { HeadwaterError, hasLongerJson } from "@headwater/kernel";
import { readRecipient } from "@headwater/messaging/templates/recipients";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { StoredContact } from "@headwater/records/contacts/contacts";
import { findContact } from "@headwater/records/contacts/findContact";
import { readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { z } from "zod";
import { type CallResult, startCalled } from "../../runs/calledRuns.ts";
import type { Journeys } from "../../runs/journeys.ts";
import { orchestrationParams, UNKNOWN_ORCHESTRATION, unknownOrchestration } from "../orchestrationCall.ts";
import { type OrchestrationName, orchestrations, readContent } from "../postgres.ts";

export type TriggerPorts = Pick<RoutePorts, "clickHouse" | "clock" | "postgres"> & { readonly journeys: Journeys };

const CONTACTS_MAX = 1_000;
const EXT_VARS_BYTES_MAX = 64 * 1024;
/** Contacts that are looked up together. */
const LOOKED_UP_AT_ONCE = 50;

const contact = z.looseObject({}).describe("`email`, `cID` or another identifier.");
const extVars = z.record(z.string(), z.unknown()).refine((vars) => !hasLongerJson(vars, EXT_VARS_BYTES_MAX), {
  message: `has more than ${EXT_VARS_BYTES_MAX} bytes`,
  params: { code: "too_long" },
});

const body = z
  .object({
    for: z
      .array(z.object({ contact, extVars: extVars.optional() }))
      .min(1)
      .max(CONTACTS_MAX)
      .optional(),
    contact: contact.optional().describe("One contact, in place of `for`."),
    identifyBy: shapes.identifiersPriority.optional(),
    extVars: extVars.optional().describe("For all contacts; those of a contact come first."),
    mergeData: extVars.optional().describe("Another name of `extVars`."),
  })
  .superRefine(({ for: many, contact: one }, context) => {
    if ((many === undefined) !== (one === undefined)) return;
    const [message, code] =
      many === undefined ? ["is required", "required"] : ["cannot stand next to `contact`", "not_allowed"];
    context.addIssue({ code: "custom", path: ["for"], message, params: { code } });
  });
type TriggerBody = z.output<typeof body>;

const FAILURES = ["not-found", "invalid", "reentry", "audience", "key"] as const;

const answer = z.strictObject({
  success: z.boolean(),
  message: z.string(),
  triggered: z.array(z.strictObject({ triggered: z.literal(true), contact: z.string().describe("cID") })),
  failures: z.array(
    z.strictObject({
      triggered: z.literal(false),
      payload: z.looseObject({}).describe("As it was sent."),
      error: z.enum(FAILURES),
    }),
  ),
});
type Failure = z.output<typeof answer>["failures"][number];

const requestExample = {
  for: [
    { contact: { email: "ada@example.com" }, extVars: { coupon: "SPRING" } },
    { contact: { cID: "65f0c0ffee65f0c0ffee0003" } },
  ],
  extVars: { season: "spring" },
};

const example = {
  success: true,
  message: "1 of 2 contacts entered.",
  triggered: [{ triggered: true, contact: "65f0c0ffee65f0c0ffee0001" }],
  failures: [{ triggered: false, payload: { contact: { cID: "65f0c0ffee65f0c0ffee0003" } }, error: "reentry" }],
};

/** A contact that a call names, or why it is not one. */
interface Named {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly extVars: Readonly<Record<string, unknown>>;
  readonly found: StoredContact | "not-found" | "invalid";
}

interface Trigger {
  readonly name: OrchestrationName;
  readonly body: TriggerBody;
  readonly signal: AbortSignal;
}

/** Throws the refusals of `POST …/trigger`. Finds and checks contacts before the transaction that lets them enter. */
async function triggerOnce(
  once: OnceCall,
  { name, body: input, signal }: Trigger,
  ports: TriggerPorts,
): Promise<Answer> {
  const { account } = once.caller;
  const audience = await readEntryAudience(ports.postgres, name);
  const named = await findNamed(ports.postgres, account, input);
  const found = named.flatMap(({ found: one }) => (typeof one === "string" ? [] : [one.number]));
  if (found.length === 0) {
    const message = "No contact in `for` is valid.";
    throw refusal("ORCHESTRATIONS_API_NO_VALID_CONTACTS_FOUND", message, {
      details: named.map((_, index) => ({ path: `/for/${index}`, code: "unknown_reference", message })),
    });
  }
  const members = audience === undefined ? undefined : await readMembers(audience, { account, found, signal }, ports);
  const isAble = ({ number }: StoredContact) => members === undefined || members.has(number);
  return retryOnConflict(() =>
    runOnce(ports.postgres, once, async (transaction) => {
      const results = await startNamed(transaction, { name, named, isAble, once }, ports);
      const written = answerOf(named, results);
      return { answer: { status: 200, body: written }, kept: written };
    }),
  );
}

/** Throws 404 or 422 for an orchestration that takes no calls. @returns key of the audience that contacts must be in. */
async function readEntryAudience(session: Session, { account, orchestration }: OrchestrationName) {
  const row = await orchestrations.read(session, { account, key: orchestration });
  if (row === undefined) throw unknownOrchestration();
  const { published } = readContent(row);
  if (published === undefined)
    throw refusal("ORCHESTRATIONS_ORCHESTRATION_NOT_PUBLISHED", "The orchestration was never published.");
  if (!row.isEnabled) throw refusal("ORCHESTRATIONS_ORCHESTRATION_IS_DISABLED", "The orchestration is disabled.");
  if (!published.trigger.api)
    throw refusal("ORCHESTRATIONS_API_TRIGGER_NOT_CONFIGURED", "The orchestration has no API trigger: `trigger.api`.");
  return published.entry.audience;
}

async function findNamed(session: Session, account: Account, input: TriggerBody): Promise<Named[]> {
  const { for: many, contact: one = {}, identifyBy, extVars: common = input.mergeData } = input;
  const items = many ?? [{ contact: one }];
  const named: Named[] = [];
  for (let from = 0; from < items.length; from += LOOKED_UP_AT_ONCE) {
    const some = items.slice(from, from + LOOKED_UP_AT_ONCE).map(async (item): Promise<Named> => {
      const own = "extVars" in item ? item.extVars : undefined;
      const found = await findOne(session, account, { contact: item.contact, identifyBy });
      return { payload: many === undefined ? { contact: one } : { ...item }, extVars: { ...common, ...own }, found };
    });
    named.push(...(await Promise.all(some)));
  }
  return named;
}

async function findOne(
  session: Session,
  account: Account,
  {
    contact: input,
    identifyBy,
  }: { readonly contact: z.output<typeof contact>; readonly identifyBy: TriggerBody["identifyBy"] },
): Promise<Named["found"]> {
  try {
    const { contact: write } = readRecipient(input, { at: "", account, channel: "email", identifyBy });
    const { given } = readIdentifiers(write, { account });
    const identifiers = given.kind === "ok" ? [...given.identifiers, ...(given.former ?? [])] : [];
    const cid = identifiers.find(({ name }) => name === "cID")?.value;
    const others = identifiers.filter(({ name }) => name !== "cID");
    const key = { ...(cid !== undefined && { cid }), identifiers: others };
    return (await findContact(session, account, key)) ?? "not-found";
  } catch (error) {
    if (error instanceof HeadwaterError && error.status === 422) return "invalid";
    throw error;
  }
}

interface Members {
  readonly account: Account;
  /** Numbers of contacts. */
  readonly found: readonly number[];
  readonly signal: AbortSignal;
}

/** Returns those of the contacts that are in the audience now, as ClickHouse knows it. */
async function readMembers(
  key: string,
  { account, found, signal }: Members,
  ports: TriggerPorts,
): Promise<ReadonlySet<number>> {
  const criteria = await checkCriteria({ audience: key }, { account }, ports);
  const { timezone, currency } = account.settings;
  const at = { account: account.number, bounds: [ports.clock.nowMs()], basis: "recorded", timezone, currency } as const;
  const codes = await membersAt(criteria, { ...at, numbers: [...new Set(found)] }, { ...ports, signal });
  return new Set(found.filter((number) => holdsAt(codes.get(number), 0)));
}

interface Starts {
  readonly name: OrchestrationName;
  readonly named: readonly Named[];
  readonly isAble: (contact: StoredContact) => boolean;
  readonly once: OnceCall;
}

/** Lets each contact enter that may, once however often it is named. @returns results by the number of the contact. */
async function startNamed(
  transaction: Transaction,
  { name, named, isAble, once }: Starts,
  { journeys, clock }: TriggerPorts,
): Promise<ReadonlyMap<number, CallResult | "audience">> {
  const { account, orchestration } = name;
  // It may have been disabled or published since it was read; it stays as it is until the transaction ends.
  await readEntryAudience(transaction, name);
  const starting = (await journeys.starting(transaction, [account])).find(
    (one) => one.journey.orchestration === orchestration,
  );
  if (starting === undefined) throw unknownOrchestration();
  const first = new Map<number, { readonly contact: StoredContact; readonly extVars: Named["extVars"] }>();
  for (const { found, extVars: vars } of named) {
    if (typeof found !== "string" && !first.has(found.number))
      first.set(found.number, { contact: found, extVars: vars });
  }
  const able = [...first.values()].filter(({ contact: one }) => isAble(one));
  const called = able.map(({ contact: { number }, extVars: vars }) => ({
    ...{ id: `${once.requestId}:${number}`, contact: number, extVars: vars },
  }));
  const ports = { journeys, nowMs: clock.nowMs() };
  const results = await startCalled(transaction, { starting, called }, ports);
  const byNumber = new Map<number, CallResult | "audience">([...first.keys()].map((number) => [number, "audience"]));
  called.forEach(({ contact: number }, index) => {
    byNumber.set(number, results[index] ?? "not-found");
  });
  return byNumber;
}

function answerOf(named: readonly Named[], results: ReadonlyMap<number, CallResult | "audience">) {
  const triggered = new Map<string, { readonly triggered: true; readonly contact: string }>();
  const failures: Failure[] = [];
  for (const { payload, found } of named) {
    const result = typeof found === "string" ? found : (results.get(found.number) ?? "not-found");
    if (result !== "begun") failures.push({ triggered: false, payload: { ...payload }, error: result });
    else if (typeof found !== "string") triggered.set(found.cid, { triggered: true, contact: found.cid });
  }
  const entered = [...triggered.values()];
  const message = `${entered.length} of ${entered.length + failures.length} contacts entered.`;
  return { success: true, message, triggered: entered, failures };
}

/** Throws 422 `ORCHESTRATIONS_API_INVALID_CONTACTS_PAYLOAD` when the contacts of a body are malformed, else `VALIDATION_ERROR`. */
function contentOf(read: ReadBody<TriggerBody>): TriggerBody {
  if (read.kind === "valid") return read.content;
  const { problems } = read;
  if (!problems.some(({ path }) => /^\/(for|contact)\b/.test(path))) throw bodyRefusal(problems);
  const message = "`for` must be a list of 1 to 1,000 objects with a `contact`.";
  throw refusal("ORCHESTRATIONS_API_INVALID_CONTACTS_PAYLOAD", message, { details: problems });
}

const startedShape = z.object({ triggered: z.array(z.unknown()) });

function startedIn(body: unknown): number {
  return startedShape.parse(body).triggered.length;
}

export function triggerOrchestration(ports: TriggerPorts): Route {
  return defineWriteRoute<z.output<typeof orchestrationParams>, unknown, ReadBody<TriggerBody>>({
    method: "POST",
    path: "/v2/orchestrations/{orchestrationID}/trigger",
    operationId: "triggerOrchestration",
    summary: "Lets up to 1,000 contacts enter an orchestration that has an API trigger.",
    description: "Contacts are never created. All that may enter do so in one transaction.",
    tags: ["orchestrations"],
    answers: {
      200: { description: "The contacts that entered, and those that did not.", schema: answer, example },
      404: { description: UNKNOWN_ORCHESTRATION },
      422: {
        description:
          "ORCHESTRATIONS_ORCHESTRATION_NOT_PUBLISHED, ORCHESTRATIONS_ORCHESTRATION_IS_DISABLED, ORCHESTRATIONS_API_TRIGGER_NOT_CONFIGURED, ORCHESTRATIONS_API_INVALID_CONTACTS_PAYLOAD or ORCHESTRATIONS_API_NO_VALID_CONTACTS_FOUND.",
      },
    },
    scope: "orchestrations:write",
    dryRun: { class: "checked", starts: ({ body }) => startedIn(body) },
    target: "orchestrationID",
    params: orchestrationParams,
    body: readByHandler(body),
    requestExample,
    handler: ({ params: { orchestrationID: orchestration }, body: read, once, signal }) => {
      const name = { account: once.caller.account.number, orchestration };
      return orFirstAnswer(ports.postgres, once, () =>
        triggerOnce(once, { name, body: contentOf(read), signal }, ports),
      );
    },
  });
}
