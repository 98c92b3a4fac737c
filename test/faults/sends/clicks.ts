import type { TakenMail } from "@headwater/testing";
import type { Random } from "../harness/random.ts";
import type { SendsGround } from "./sendsGround.ts";

const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CALL_TIMEOUT_MS = 20_000;

/** Follows the first link of some mails, as their recipients would. @returns differences. */
export async function click(
  { people }: SendsGround,
  mails: readonly TakenMail[],
  { random, count }: { readonly random: Random; readonly count: number },
): Promise<string[]> {
  const byEmail = new Map(people.map((person) => [person.email, person]));
  const differences: string[] = [];
  for (let clicks = 0; clicks < Math.min(count, mails.length); clicks++) {
    const { link, recipients, messageId } = mails[random.int(mails.length)] ?? {};
    const person = byEmail.get(recipients?.[0] ?? "");
    if (person === undefined || person.fate === "erased" || person.fate === "merged") continue;
    if (link === undefined) {
      differences.push(`${messageId} has no link`);
      continue;
    }
    const headers = { "user-agent": AGENT };
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const { status } = await fetch(link, { redirect: "manual", headers, signal });
    if (status === 302) person.clicks += 1;
    else differences.push(`a click on ${messageId} was answered ${status}`);
  }
  return differences;
}
