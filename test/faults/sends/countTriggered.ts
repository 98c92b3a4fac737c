import { messageIdOf } from "@headwater/messaging/compose/composeMail";
import type { TakenMail } from "@headwater/testing";
import { DOMAIN, WINDOW } from "./count.ts";
import { isOfFew } from "./people.ts";
import type { SendsGround } from "./sendsGround.ts";

export interface Triggered {
  /** Template of the activities. */
  readonly event: string;
  /** Template of the ticks. */
  readonly recurring: string;
  /** Activities of each person, by email. */
  readonly done: ReadonlyMap<string, number>;
  readonly windows: number;
}

interface Row {
  readonly contact: number;
  readonly cid: string;
  readonly message: string;
  readonly n: number;
  readonly state: string;
  readonly reason: string | null;
}

/** A transactional message comes once more where nobody knows whether it came. */
const TIMES_MAX = 2;

/** Compares sends with what happened and with what the server took: one for each activity, and one a person for each tick. */
export async function countTriggered(on: SendsGround, triggered: Triggered, mails: readonly TakenMail[]) {
  const text = "SELECT contact, cid, message, n, state, reason FROM sends WHERE kind = 'a'";
  const rows = await on.ground.postgres.query<Row & Record<string, unknown>>({ text });
  const ticks = "SELECT count(*) AS runs, count(DISTINCT tick_at) AS ticks FROM template_runs WHERE mdt_id = $1";
  const [run] = await on.ground.postgres.query<{ runs: number; ticks: number }>({ text: ticks }, [triggered.recurring]);
  const { runs, ticks: distinct } = run ?? { runs: 0, ticks: 0 };
  const differences = [
    ...(runs === distinct && runs > 0 ? [] : [`${runs} runs for ${distinct} ticks`]),
    ...wrongNumbers(on, triggered, { rows, runs }),
    ...wrongMails(on, rows, mails),
    ...tooManyUnknown(rows, triggered),
  ];
  return { sends: rows.length, runs, differences };
}

interface Counted {
  readonly rows: readonly Row[];
  readonly runs: number;
}

/** Each activity has one send, and each run one for everybody in its audience. */
function wrongNumbers(
  { people }: SendsGround,
  { event, recurring, done }: Triggered,
  { rows, runs }: Counted,
): string[] {
  const timesOf = (template: string) => {
    const times = new Map<number, number>();
    for (const { contact, message } of rows) {
      if (message.startsWith(`${template}:`)) times.set(contact, (times.get(contact) ?? 0) + 1);
    }
    return times;
  };
  const [byEvent, byTick] = [timesOf(event), timesOf(recurring)];
  return people
    .filter(({ fate }) => fate === "none")
    .flatMap((person) => {
      const { email, number } = person;
      const [events, ticks] = [byEvent.get(number) ?? 0, byTick.get(number) ?? 0];
      const [wanted, wantedTicks] = [done.get(email) ?? 0, isOfFew(person) ? runs : 0];
      return [
        ...(events === wanted ? [] : [`${email} has ${events} sends for ${wanted} activities`]),
        ...(ticks === wantedTicks ? [] : [`${email} has ${ticks} sends for ${wantedTicks} ticks`]),
      ];
    });
}

function wrongMails({ account }: SendsGround, rows: readonly Row[], mails: readonly TakenMail[]): string[] {
  const idOf = ({ message, cid, n }: Row) => messageIdOf([account.id, message, "a", cid, n].join(":"), DOMAIN);
  const times = new Map<string, number>();
  for (const { messageId } of mails) times.set(messageId, (times.get(messageId) ?? 0) + 1);
  const known = new Set(rows.map(idOf));
  return [
    ...[...times].filter(([, count]) => count > TIMES_MAX).map(([id, count]) => `${id} came ${count} times`),
    ...[...times.keys()].filter((id) => !known.has(id)).map((id) => `${id} stands in no row`),
    ...rows
      .filter(({ state, reason }) => state === "sent" && reason === null)
      .filter((row) => !times.has(idOf(row)))
      .map((row) => `${idOf(row)} is sent, and the server did not take it`),
  ];
}

function tooManyUnknown(rows: readonly Row[], { windows }: Triggered): string[] {
  const unknown = rows.filter(({ state }) => state === "unknown").length;
  return unknown > WINDOW * windows ? [`${unknown} are unknown, of ${WINDOW * windows} that may be`] : [];
}
