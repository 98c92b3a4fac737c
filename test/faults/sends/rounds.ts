import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { click } from "./clicks.ts";
import { countRound } from "./count.ts";
import { sendFaults } from "./faults.ts";
import { AUDIENCE, drawPeople, erase, merge, unsubscribe } from "./people.ts";
import type { SendRound } from "./sendRound.ts";
import type { SendsGround } from "./sendsGround.ts";

export interface RoundReport {
  readonly id: string;
  readonly tookMs: number;
  /** Windows of killed and sleeping senders. */
  readonly windows: number;
  /** Processes that were killed by signal 9. */
  readonly kills: number;
  readonly delivery: object;
  readonly mails: number;
  readonly differences: readonly string[];
}

const END_TIMEOUT_MS = 600_000;
const CLICKS_PER_ROUND = 20;
const DISTURBED = { unsubscribed: 4, merged: 4, erased: 2 };
/** Due times of sends that a pause holds are above this one, in milliseconds. */
const HELD_MS = 100_000_000_000_000;

export async function runRound(on: SendsGround, round: SendRound, random: Random): Promise<RoundReport> {
  const from = Date.now();
  const { taken } = on.smtp;
  const before = (await taken()).length;
  const id = await createMessage(on, round);
  const { windows, kills, spared, differences } = await commitFaults(on, { id, round, random, before });
  const { delivery, sums } = await ended(on, id);
  const mails = (await taken()).slice(before);
  const counted = await countRound(on, { id, round, windows, spared, mails });
  const clicked = await click(on, mails, { random, count: CLICKS_PER_ROUND });
  return {
    ...{ id, windows, kills, delivery, mails: mails.length, tookMs: Date.now() - from },
    differences: [...differences, ...sums, ...counted, ...clicked],
  };
}

async function createMessage({ call }: SendsGround, { classification }: SendRound): Promise<string> {
  const created = await call("POST", "/v2/batchmessages", {
    ...{ channel: "email", classification, audience: AUDIENCE },
    message: {
      headers: { subject: "Hi", fromEmail: "news@example.com", fromDesc: "Shop", replyEmail: "help@example.com" },
      content: { "text/html": CONTENT },
    },
  });
  return String(created.id);
}

export const CONTENT =
  '<p>Hello {{ contact.cID }}</p><a href="https://shop.example/">Shop</a> <a href="{{ links.unsubscribe }}">Unsubscribe</a>';

interface Going {
  readonly id: string;
  readonly round: SendRound;
  readonly random: Random;
  /** Mails that the server had taken before. */
  readonly before: number;
}

async function commitFaults(on: SendsGround, { id, round, random, before }: Going) {
  const armed = (name: string | undefined) => (name === undefined ? undefined : sendFaults[name]?.(on, { id, random }));
  let fault = await armed(round.faults[0]);
  await on.call("PUT", `/v2/batchmessages/${id}/send`);
  let disturbed: Disturbed = { spared: [], differences: [] };
  let [windows, kills] = [0, 0];
  for (const [index] of round.faults.entries()) {
    const struck = await fault?.strike();
    windows += struck?.windows ?? 0;
    kills += struck?.kills ?? 0;
    if (index === 0 && round.isCanceled) await on.call("PUT", `/v2/batchmessages/${id}/cancel`);
    fault = await armed(round.faults[index + 1]);
    if (index === 0 && round.isDisturbed) disturbed = await disturb(on, { id, round, random, before });
  }
  return { windows, kills, ...disturbed };
}

interface Disturbed {
  /** Addresses of people who had unsubscribed when the message went on. */
  readonly spared: readonly string[];
  readonly differences: readonly string[];
}

/** People change while the message is paused and nothing of it is under way: whoever got nothing so far gets nothing at all. */
async function disturb(on: SendsGround, { id, random, before }: Going): Promise<Disturbed> {
  await on.call("PUT", `/v2/batchmessages/${id}/pause`);
  const sending = "SELECT count(*) AS sending FROM sends WHERE message = $1 AND state = 'sending'";
  const check = async () => {
    const [row] = await on.ground.postgres.query<{ sending: number }>({ text: sending }, [id]);
    return Number(row?.sending) === 0 ? undefined : `${row?.sending} are under way`;
  };
  await until(check, { timeoutMs: END_TIMEOUT_MS });
  const drawn = drawPeople(on.people, random, DISTURBED.unsubscribed + DISTURBED.merged + DISTURBED.erased);
  const got = reachedBy(await on.smtp.taken(), before);
  const leaving = drawn.splice(0, DISTURBED.unsubscribed);
  await unsubscribe(on, leaving);
  await merge(on, drawn.splice(0, DISTURBED.merged));
  await erase(on, drawn);
  const after = reachedBy(await on.smtp.taken(), before);
  await on.call("PUT", `/v2/batchmessages/${id}/resume`);
  const inPause = after.length - got.length;
  return {
    spared: leaving.map(({ email }) => email).filter((email) => !got.includes(email)),
    differences: inPause === 0 ? [] : [`${inPause} mails of ${id} were handed over in its pause`],
  };
}

const reachedBy = (mails: readonly { readonly recipients: readonly string[] }[], before: number) =>
  mails.slice(before).flatMap(({ recipients }) => recipients);

/** Waits until each contact of the audience has its outcome, which add up at every look. */
async function ended({ call, ground }: SendsGround, id: string) {
  const sums: string[] = [];
  let delivery: Record<string, unknown> = {};
  const read = async () => {
    await ground.postgres
      .execute(
        {
          text: `UPDATE sends SET due_at = 0 WHERE message = $1 AND state IN ('pending', 'deferred') AND due_at > 0 AND due_at < ${HELD_MS}`,
        },
        [id],
      )
      .catch(() => undefined);
    const seen = await call("GET", `/v2/batchmessages/${id}`);
    if (seen.delivery !== undefined) {
      delivery = seen.delivery;
      const sum = sumOf(delivery);
      if (sum !== seen.audienceTotal) sums.push(`${sum} outcomes of an audience of ${seen.audienceTotal}`);
    }
    if (seen.status === "paused") await call("PUT", `/v2/batchmessages/${id}/resume`);
    const open = Number(delivery.pending ?? 0) + Number(delivery.deferred ?? 0);
    const isEnded = ["sent", "canceled", "failed"].includes(seen.status) && open === 0;
    return isEnded ? undefined : `${seen.status} ${seen.reason ?? ""} ${JSON.stringify(delivery)}`;
  };
  await until(read, { timeoutMs: END_TIMEOUT_MS });
  return { delivery, sums };
}

function sumOf({ skipped, ...counts }: Record<string, unknown>): number {
  const all = [
    ...Object.values(counts),
    ...(typeof skipped === "object" && skipped !== null ? Object.values(skipped) : []),
  ];
  return all.reduce((sum: number, one) => sum + Number(one), 0);
}
