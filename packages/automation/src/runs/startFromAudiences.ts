import { examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import type { Account } from "@headwater/contracts";
import { type CriteriaNode, compileNumbers } from "@headwater/criteria";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { AnswerPorts } from "./answerQuestions.ts";
import { applyFacts, loadContacts } from "./applyFacts.ts";
import { type AudienceTrigger, claimAudience, noteCounted } from "./audienceRows.ts";
import type { Starting } from "./journeys.ts";
import { moveTogether } from "./moveTogether.ts";
import { stepRuns } from "./storeUnit.ts";

/** Contacts that one query finds, and that one transaction lets enter. */
const CONTACTS_OF_A_QUERY = 100_000;
const CONTACTS_AT_ONCE = 500;
/** Time for which a count is claimed. One that takes longer is begun by another process as well, which starts nobody twice. */
const CLAIM_MS = 60_000;
const AGAIN_MS = 60_000;
const QUERY_MS = 50_000;
const STREAM = "audiences";

/**
 * Starts runs of contacts that have entered an audience since its last count: the difference of the audience at two instants. A kill repeats the
 * difference from the same instant, and who has started by it is known by that.
 * @param untilMs an instant from before which both stores have everything.
 * @returns whether there was an audience to be counted.
 */
export async function startFromAudiences(ports: AnswerPorts, untilMs: number): Promise<boolean> {
  const nowMs = ports.clock.nowMs();
  const trigger = await claimAudience(ports.postgres, { nowMs, untilMs: nowMs + CLAIM_MS });
  if (trigger === undefined) return false;
  const dueAt = nowMs + (await everyMs(ports, trigger));
  if (untilMs <= trigger.countedAt) {
    await noteCounted(ports.postgres, trigger, { atMs: trigger.countedAt, dueAt: nowMs + 1_000 });
    return true;
  }
  const account = await ports.journeys.account(ports.postgres, trigger.account);
  const examined = account && (await examineCriteria({ audience: trigger.audience }, { account }, ports));
  if (account === undefined || examined?.kind !== "ok") {
    ports.onAudienceFailed?.(trigger.audience);
    await noteCounted(ports.postgres, trigger, { atMs: trigger.countedAt, dueAt });
    return true;
  }
  const counting = { trigger, account, criteria: examined.criteria, untilMs };
  for (let after = 0; ; ) {
    const contacts = await readEntered(ports, counting, after);
    for (let from = 0; from < contacts.length; from += CONTACTS_AT_ONCE) {
      await start(ports, counting, contacts.slice(from, from + CONTACTS_AT_ONCE));
    }
    const last = contacts.at(-1);
    if (last === undefined || contacts.length < CONTACTS_OF_A_QUERY) break;
    after = last;
  }
  await noteCounted(ports.postgres, trigger, { atMs: untilMs, dueAt });
  return true;
}

interface Counting {
  readonly trigger: AudienceTrigger;
  readonly account: Account;
  readonly criteria: CriteriaNode;
  readonly untilMs: number;
}

async function everyMs(
  { postgres, journeys }: AnswerPorts,
  { account, orchestration }: AudienceTrigger,
): Promise<number> {
  const starting = await postgres.transaction((transaction) => journeys.starting(transaction, [account]));
  const own = starting.find(({ journey }) => journey.orchestration === orchestration);
  return own === undefined ? AGAIN_MS : 1_000 * own.journey.composition.trigger.everySeconds;
}

/** Returns numbers behind one of the contacts that are in the audience now and were not at its last count, in order. */
async function readEntered(
  { clickHouse, aliasRevisions }: AnswerPorts,
  { trigger: { countedAt }, account, criteria, untilMs }: Counting,
  after: number,
): Promise<number[]> {
  const { number, settings } = account;
  const hasMerges = (await aliasRevisions.lastSeen(account)) !== "0";
  const shared = {
    account: number,
    basis: "recorded",
    timezone: settings.timezone,
    hasMerges,
    currency: settings.currency,
  } as const;
  const at = (asOf: number) => compileNumbers(criteria, { ...shared, now: untilMs + 1, asOf });
  const now = at(untilMs);
  const before = countedAt === 0 ? undefined : at(countedAt);
  // Both have parameters of the same names.
  const renamed = (name: string) => `before_${name}`;
  const without = before?.sql.replaceAll(/\{(p\d+):/g, (_match, name: string) => `{${renamed(name)}:`);
  const excluded = without === undefined ? "" : ` AND contact NOT IN (SELECT contact FROM (${without}))`;
  const beforeParams = Object.entries(before?.params ?? {}).map(([name, value]) => [renamed(name), value]);
  const rows = await clickHouse.query<{ contact: number | string }>(
    `SELECT contact FROM (${now.sql}) WHERE contact > {after: UInt64}${excluded} ORDER BY contact LIMIT ${CONTACTS_OF_A_QUERY}`,
    { ...now.params, ...Object.fromEntries(beforeParams), after },
    { settings: { ...now.settings, ...before?.settings }, timeoutMs: QUERY_MS },
  );
  return rows.map(({ contact }) => Number(contact));
}

/** Lets contacts enter: only while their orchestration is enabled and still counts this audience. */
async function start(ports: AnswerPorts, { trigger, untilMs }: Counting, contacts: readonly number[]): Promise<void> {
  const { account, orchestration, audience, countedAt } = trigger;
  const nowMs = ports.clock.nowMs();
  const enter = (transaction: Transaction, numbers: readonly number[], isBroken = false) =>
    stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
      const all = await ports.journeys.starting(transaction, [account]);
      const starting: readonly Starting[] = all.filter(({ journey }) => journey.orchestration === orchestration);
      const wanted = numbers.map((contact) => ({ account, contact }));
      const survivorOf = await loadContacts(transaction, unit, { contacts: wanted, sinceMs: nowMs, nowMs }, ports);
      const facts = numbers.flatMap((number) => {
        const contact = survivorOf(account, number);
        if (contact === undefined) return [];
        const of = { kind: "audience", id: `${countedAt}:${contact}`, audience, contact, at: untilMs } as const;
        const fact = { ...of, stream: STREAM, position: countedAt };
        return [{ account, fact, revision: Number.MAX_SAFE_INTEGER }];
      });
      await applyFacts(transaction, unit, { facts, starting, isBroken }, ports);
    });
  await moveTogether<number>(ports, {
    claim: () => contacts,
    work: enter,
    fail: (transaction, contact) => enter(transaction, [contact], true),
    takeAway: async () => undefined,
    runOf: (contact) => ({ account, id: `${orchestration}: audience of ${contact}` }),
  });
}
