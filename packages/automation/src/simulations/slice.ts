import { mapInSteps, runInSlices } from "@headwater/kernel";
import { type AnswerRules, type Asked, SliceAnswers } from "./answers.ts";
import { type Candidate, type ContactFacts, type FactPorts, readCandidates, readFacts, type Stretch } from "./facts.ts";
import { ContactSimulation, type SimulationRules } from "./simulateContact.ts";

/** Contacts that are followed at a time: what bounds the memory. */
const CONTACTS_AT_A_TIME = 5_000;
/** Questions one after another that contacts of a slice may ask. */
const ROUNDS_MAX = 10_000;

export interface FollowedContact extends Candidate {
  readonly simulation: ContactSimulation;
}

export interface Slice {
  readonly contacts: readonly FollowedContact[];
  /** Number of the last contact; undefined when there was none. */
  readonly last: number | undefined;
  /** One contact had more facts than may be held: its last ones were left out. */
  readonly isCut: boolean;
}

export interface SliceRules {
  readonly stretch: Stretch;
  readonly rules: SimulationRules;
  readonly answers: AnswerRules;
}

/** Follows the next contacts behind a number through the stretch, to its end. */
export async function simulateSlice(
  after: number,
  { stretch, rules, answers }: SliceRules,
  ports: FactPorts,
): Promise<Slice> {
  const { candidates, facts, isCut, sent } = await readSlice(after, stretch, ports);
  const contacts = candidates.map((candidate) => ({
    ...candidate,
    simulation: new ContactSimulation(rules, facts.get(candidate.contact) ?? [], sent),
  }));
  const numbers = candidates.map(({ contact }) => contact);
  const answering = new SliceAnswers(stretch, answers, numbers, ports);
  let open: readonly FollowedContact[] = contacts;
  for (let rounds = 0; open.length > 0; rounds++) {
    if (rounds === ROUNDS_MAX) throw new Error(`contacts asked more than ${ROUNDS_MAX} questions`);
    ports.signal.throwIfAborted();
    const questions = await runInSlices(mapInSteps(open, ({ simulation }) => simulation.advance()));
    const asking = open.flatMap((one, index) => {
      const question = questions[index];
      return question === undefined ? [] : [{ one, question }];
    });
    const asked = asking.map(({ one: { contact }, question }): Asked => ({ contact, question }));
    const known = await answering.answer(asked);
    asking.forEach(({ one: { simulation } }, index) => {
      simulation.answer(known[index] ?? { fits: [] });
    });
    open = asking.map(({ one }) => one);
  }
  return { contacts, last: numbers.at(-1), isCut };
}

const NOTHING: ContactFacts = { facts: new Map(), isCut: false, sent: new Set() };

interface ReadSlice extends ContactFacts {
  readonly candidates: readonly Candidate[];
}

/** Reads as many contacts as fit with their facts: half as many while they do not. */
async function readSlice(after: number, stretch: Stretch, ports: FactPorts): Promise<ReadSlice> {
  const all = await readCandidates(stretch, { after, contactsMax: CONTACTS_AT_A_TIME }, ports);
  for (let candidates = all; ; candidates = candidates.slice(0, Math.ceil(candidates.length / 2))) {
    const read = candidates.length === 0 ? NOTHING : await readFacts(stretch, candidates, ports);
    if (!read.isCut || candidates.length <= 1) return { candidates, ...read };
  }
}
