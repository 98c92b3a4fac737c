import type { Differences } from "../compare/differences.ts";
import { addAccount, type Ground } from "../harness/services.ts";
import type { SenderCounts } from "../load/sender.ts";
import { startCaller } from "./caller.ts";
import type { HonestIntakeOptions, HonestIntakeResult } from "./honestIntake.ts";

/** An account that sends what is right, and knows what must be there in the end. */
export interface Honest {
  readonly apiKey: string;
  /** Milliseconds from a call to its 202, retries included, of all calls since this was asked last. */
  takeTimes(): Promise<readonly number[]>;
  /** Ends the load. */
  end(): Promise<SenderCounts>;
  /** Every contact and every activity behind a 202 is there once, under its own person. */
  compare(differences: Differences): Promise<void>;
}

export interface HonestOptions extends Omit<HonestIntakeOptions, "apiKey"> {
  readonly ground: Ground;
}

/** Sends one call after another from several senders at once, each with an Idempotency-Key, until it is ended. */
export async function startHonest({ ground, name, ...options }: HonestOptions): Promise<Honest> {
  const { account, apiKey } = await addAccount(ground.postgres, name);
  const intake: HonestIntakeOptions = { name, apiKey, ...options };
  const caller = startCaller<HonestIntakeResult>(new URL("./honestIntake.ts", import.meta.url), intake);
  let result: HonestIntakeResult | undefined;
  return {
    apiKey,
    takeTimes: caller.takeTimes,
    async end() {
      result = await caller.end();
      return result.counts;
    },
    async compare(differences) {
      if (result === undefined) throw new Error("the load has not ended");
      for (const words of result.unexpected) differences.add(`${name}: ${words}`);
      const stored = await storedActivities(ground, account.number);
      differences.sameMaps(`activities of ${name}`, stored, expected(name, result.sent));
    },
  };
}

function expected(name: string, sent: ReadonlyMap<number, number>): Map<string, number> {
  return new Map([...sent].map(([person, count]) => [`person${person}@${name}.example.com ${person}`, count]));
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
