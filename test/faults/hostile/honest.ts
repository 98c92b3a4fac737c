import { setTimeout as sleep } from "node:timers/promises";
import type { Differences } from "../compare/differences.ts";
import { type Ground, makeAccount } from "../harness/services.ts";
import { createSender, type Sender } from "../load/sender.ts";

/** An account that sends what is right, and knows what must be there in the end. */
export interface Honest {
  readonly sender: Sender;
  readonly apiKey: string;
  /** Milliseconds from a call to its 202, retries included, of all calls since this was asked last. */
  takeTimes(): readonly number[];
  /** Ends the load. */
  end(): Promise<void>;
  /** Every contact and every activity behind a 202 is there once, under its own person. */
  compare(differences: Differences): Promise<void>;
}

export interface HonestOptions {
  readonly ground: Ground;
  readonly name: string;
  readonly port: number;
  readonly senders: number;
  /** Time that a sender rests between two calls. */
  readonly restMs: number;
}

const PEOPLE = 200;
const ACTIVITIES_PER_CALL = 5;

/** Sends one call after another from several senders at once, each with an Idempotency-Key, until it is ended. */
export async function startHonest({ ground, name, port, senders, restMs }: HonestOptions): Promise<Honest> {
  const { account, apiKey } = await makeAccount(ground.postgres, name);
  const sender = createSender({ apiKey, port: () => port });
  /** Activities sent, by person. */
  const sent = new Map<number, number>();
  let made = 0;
  let times: number[] = [];
  let isEnding = false;
  const send = async (): Promise<void> => {
    while (!isEnding) {
      const person = made % PEOPLE;
      const call = { path: "/api/createContactactivities", body: bodyOf(name, person, made), key: `${name}-${made}` };
      made++;
      sent.set(person, (sent.get(person) ?? 0) + ACTIVITIES_PER_CALL);
      const begunMs = performance.now();
      await sender.send({ ...call, records: ACTIVITIES_PER_CALL, hangsUpAfterMs: undefined });
      times.push(performance.now() - begunMs);
      await sleep(restMs);
    }
  };
  const load = Promise.all(Array.from({ length: senders }, send));
  return {
    sender,
    apiKey,
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
    async end() {
      isEnding = true;
      await load;
      sender.close();
    },
    async compare(differences) {
      for (const words of sender.unexpected) differences.add(`${name}: ${words}`);
      differences.sameMaps(
        `activities of ${name}`,
        await storedActivities(ground, account.number),
        expected(name, sent),
      );
    },
  };
}

function bodyOf(name: string, person: number, made: number): string {
  const contactactivities = Array.from({ length: ACTIVITIES_PER_CALL }, (_, index) => ({
    name: "visit",
    time: new Date().toISOString(),
    UID: `${name}-${made}-${index}`,
    properties: { person },
  }));
  const contact = {
    identifiers: { email: emailOf(name, person) },
    attributes: { person },
    canBeCreated: true,
    canBeUpdated: true,
  };
  return JSON.stringify({ contact, contactactivities });
}

function emailOf(name: string, person: number): string {
  return `person${person}@${name}.example.com`;
}

function expected(name: string, sent: ReadonlyMap<number, number>): Map<string, number> {
  return new Map([...sent].map(([person, count]) => [`${emailOf(name, person)} ${person}`, count]));
}

/** Counted by the address that Postgres has for the contact number and the person that the activity itself names. */
async function storedActivities({ postgres, clickhouse }: Ground, account: number): Promise<Map<string, number>> {
  const contacts = await postgres.query<{ contact: number; value: string }>(
    {
      text: "SELECT contact, value FROM contact_identifiers WHERE account = $1 AND name = 'email'",
    },
    [account],
  );
  const emails = new Map(contacts.map(({ contact, value }) => [Number(contact), value]));
  const rows = await clickhouse.query<{ contact: number; person: string; count: number }>(
    `SELECT contact, JSONExtractRaw(properties, 'person') AS person, toUInt32(count()) AS count FROM activities
      WHERE account = {account: UInt32} GROUP BY contact, person`,
    { account },
  );
  return new Map(rows.map(({ contact, person, count }) => [`${emails.get(Number(contact))} ${person}`, count]));
}
