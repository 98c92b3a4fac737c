import type { AliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import { withLists } from "@headwater/criteria";
import { classifyFailure } from "@headwater/kernel";
import { zoneOfContact } from "@headwater/messaging/batchMessages/zoneOfContact";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { loadContacts } from "@headwater/records/contacts/contacts";
import { readLive } from "@headwater/records/contacts/liveContacts";
import { z } from "zod";
import { criteriaOfEntry, criteriaOfExits, criteriaOfNode } from "../orchestrations/criteria.ts";
import type { PublishedVersion } from "../orchestrations/postgres.ts";
import type { Answer, Failure } from "../orchestrations/run.ts";
import { fittingAmong } from "./fittingAmong.ts";
import { failRun, type MovePorts, moveTogether } from "./moveTogether.ts";
import { lockRuns } from "./postgres.ts";
import { claimQuestions, type Question, takeQuestions } from "./questionRows.ts";
import { stepRuns, withJourneys } from "./storeUnit.ts";

export interface AnswerPorts extends MovePorts {
  readonly clickHouse: ClickHouse;
  readonly aliasRevisions: AliasRevisions;
  /** Called for an audience that cannot be counted: its criteria are not valid any more. */
  readonly onAudienceFailed?: (audience: string) => void;
}

/** Questions that are answered together: those about the same criteria are one query. */
const QUESTIONS_AT_ONCE = 1_000;
/** Longer than all queries of a claim take. */
const CLAIM_MS = 120_000;
const pointers = z.array(z.string());

/**
 * Answers questions of runs. @param untilMs an instant from before which both stores have everything: what led a run to its question is in them.
 * @returns how many questions there were.
 */
export async function answerQuestions(ports: AnswerPorts, untilMs: number): Promise<number> {
  const claimed = await claimQuestions(ports.postgres, { untilMs, questionsMax: QUESTIONS_AT_ONCE, claimMs: CLAIM_MS });
  const byVersion = Map.groupBy(
    claimed,
    ({ account, orchestration, version }) => `${account} ${orchestration} ${version}`,
  );
  for (const questions of byVersion.values()) await give(ports, questions, await answersTo(ports, questions));
  return claimed.length;
}

type Answered = ReadonlyMap<string, Answer | Failure>;

/** Gives answers to the runs that asked. Who answers a question takes it away, so that it is answered once. */
async function give(ports: AnswerPorts, questions: readonly Question[], answers: Answered): Promise<void> {
  const nowMs = ports.clock.nowMs();
  const keyOf = ({ account, run }: Question) => ({ account, id: run });
  await moveTogether<Question>(ports, {
    claim: () => questions,
    work: (transaction, own) =>
      stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, own.map(keyOf))));
        const taken = await takeQuestions(transaction, own);
        for (const question of own) {
          const answer = answers.get(question.id);
          if (taken.has(question.id) && answer !== undefined) await unit.apply(keyOf(question), answer);
        }
      }),
    fail: (transaction, question) => failRun(transaction, keyOf(question), ports),
    takeAway: (transaction, question) => takeQuestions(transaction, [question]),
    runOf: keyOf,
  });
}

/** Finds the answers to questions of one version. What is refused is a failure of the step, and a store that is away is waited for. */
async function answersTo(ports: AnswerPorts, questions: readonly Question[]): Promise<Answered> {
  const [first] = questions;
  if (first === undefined) return new Map();
  const at = ports.clock.nowMs();
  const { account: number, orchestration, version } = first;
  const [account, published] = await Promise.all([
    ports.journeys.account(ports.postgres, number),
    ports.journeys.version(ports.postgres, { account: number, orchestration, version }),
  ]);
  if (account === undefined || published === undefined) return failures(questions, at, "The version is gone.");
  try {
    return await readAnswers(ports, { account, published, questions, at });
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return failures(questions, at, error instanceof Error ? error.message : "The criteria cannot be evaluated.");
  }
}

function failures(questions: readonly Question[], at: number, reason: string): Answered {
  return new Map(questions.map(({ id }) => [id, { kind: "failure", question: id, at, reason }]));
}

interface Asked {
  readonly account: Account;
  readonly published: PublishedVersion;
  readonly questions: readonly Question[];
  readonly at: number;
}

async function readAnswers(ports: AnswerPorts, asked: Asked): Promise<Answered> {
  const { account, questions, at } = asked;
  const wanted = questions.map((question) => ({ question, asks: pointers.parse(JSON.parse(question.criteria)) }));
  const contacts = await readContacts(ports, account, questions);
  const fitting = new Map<string, ReadonlySet<number>>();
  for (const pointer of new Set(wanted.flatMap(({ asks }) => asks))) {
    const own = wanted.filter(({ asks }) => asks.includes(pointer));
    const numbers = own.map(({ question }) => contacts.get(question.contact)?.number ?? question.contact);
    const fits = await readFitting(ports, asked, pointer, [...new Set(numbers)]);
    if (fits === undefined) return failures(questions, at, `The criteria at ${pointer} are not valid any more.`);
    fitting.set(pointer, fits);
  }
  return new Map(
    wanted.map(({ question, asks }) => {
      const { id, contact: number, wantsZone, field } = question;
      const contact = contacts.get(number);
      const fits = asks.filter((pointer) => fitting.get(pointer)?.has(contact?.number ?? number));
      const zone = wantsZone ? zoneOfContact(account, contact?.attributes ?? {}) : undefined;
      const value = field === null ? undefined : contact?.attributes[field.slice(ATTRIBUTES.length)];
      const more = { ...(zone !== undefined && { zone }), ...(value !== undefined && { value }) };
      return [id, { kind: "answer", question: id, at, fits, ...more }];
    }),
  );
}

/** Begins the names of a delay's dates that the contact has. */
const ATTRIBUTES = "attributes.";

interface Seen {
  readonly number: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Returns the contacts that live, by the numbers that runs have. */
async function readContacts(
  { postgres }: AnswerPorts,
  { number }: Account,
  questions: readonly Question[],
): Promise<ReadonlyMap<number, Seen>> {
  const numbers = [...new Set(questions.map(({ contact }) => contact))];
  const rows = await readLive(number, numbers, (keys) => loadContacts(postgres, keys));
  return new Map(
    [...rows].map(([asked, row]) => {
      const { attributes } = fromRow(row);
      const values = [...attributes].flatMap(([name, { value }]) => (value === null ? [] : [[name, value] as const]));
      return [asked, { number: row.number, attributes: Object.fromEntries(values) }];
    }),
  );
}

/** Returns those of the contacts that fit criteria of a version; undefined for criteria that are wrong today. */
function readFitting(
  ports: AnswerPorts,
  { account, published, at }: Asked,
  pointer: string,
  among: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  return fittingAmong(ports, { account, criteria: criteriaAt(published, pointer), among, at });
}

/** Returns criteria of a version, with the ids of the lists that they named when it was published. */
function criteriaAt({ composition, lists }: PublishedVersion, pointer: string): unknown {
  const ofNodes = composition.actions.flatMap((node, index) => criteriaOfNode(node, index));
  const all = [...criteriaOfEntry(composition), ...criteriaOfExits(composition), ...ofNodes];
  const found = all.find((one) => one.pointer === pointer);
  return found && withLists(found.criteria, (list) => (typeof list === "string" ? lists[list] : undefined));
}
