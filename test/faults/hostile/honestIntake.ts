import { setTimeout as sleep } from "node:timers/promises";
import { createSender, type SenderCounts } from "../load/sender.ts";
import { callerData, serveCalls } from "./caller.ts";

export interface HonestIntakeOptions {
  readonly name: string;
  readonly apiKey: string;
  readonly port: number;
  readonly senders: number;
  /** Time that a sender rests between two calls. */
  readonly restMs: number;
}

export interface HonestIntakeResult {
  /** Activities sent, by person. */
  readonly sent: ReadonlyMap<number, number>;
  readonly counts: SenderCounts;
  /** Answers that should never come. */
  readonly unexpected: readonly string[];
}

const PEOPLE = 200;
const ACTIVITIES_PER_CALL = 5;

const { name, apiKey, port, senders, restMs } = callerData<HonestIntakeOptions>();
const sender = createSender({ apiKey, port: () => port });
const sent = new Map<number, number>();
let created = 0;
const times: number[] = [];
let isEnding = false;

async function send(): Promise<void> {
  while (!isEnding) {
    const person = created % PEOPLE;
    const call = { path: "/api/createContactactivities", body: bodyOf(person, created), key: `${name}-${created}` };
    created++;
    sent.set(person, (sent.get(person) ?? 0) + ACTIVITIES_PER_CALL);
    const begunMs = performance.now();
    await sender.send({ ...call, records: ACTIVITIES_PER_CALL, hangsUpAfterMs: undefined });
    times.push(performance.now() - begunMs);
    await sleep(restMs);
  }
}

function bodyOf(person: number, built: number): string {
  const contactactivities = Array.from({ length: ACTIVITIES_PER_CALL }, (_, index) => ({
    name: "visit",
    time: new Date().toISOString(),
    UID: `${name}-${built}-${index}`,
    properties: { person },
  }));
  const contact = {
    identifiers: { email: `person${person}@${name}.example.com` },
    attributes: { person },
    canBeCreated: true,
    canBeUpdated: true,
  };
  return JSON.stringify({ contact, contactactivities });
}

const load = Promise.all(Array.from({ length: senders }, send));

serveCalls<HonestIntakeResult>({
  times,
  async end() {
    isEnding = true;
    await load;
    sender.close();
    const { counts, unexpected } = sender;
    return { sent, counts, unexpected };
  },
});
