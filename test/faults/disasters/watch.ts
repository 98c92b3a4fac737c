import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../harness/until.ts";
import type { Answer, FrozenAccount, Read } from "./frozenAccount.ts";

/** Codes with which a call may be refused while a store is away or went back. */
const REFUSED: ReadonlySet<string> = new Set(["STORE_WENT_BACK", "SERVICE_UNAVAILABLE", "TIMEOUT"]);
const PAUSE_MS = 100;
const SEEN_TIMEOUT_MS = 180_000;
const WRONG_LISTED = 20;

/** Asks all calls again and again, and compares each answer with the right one. */
export interface Watch {
  /** Waits until these calls are refused with the code, each by an answer to a call that began from now on. */
  untilRefused(which: (read: Read) => boolean, code: string): Promise<void>;
  /** Takes note of no answer until all are right again: records are read again from the log. */
  rest(): void;
  /** Waits until every call is answered as before the disaster. */
  untilRight(): Promise<void>;
  /** Stops asking. @returns answers that were neither right nor refused. */
  stop(): Promise<readonly string[]>;
}

const nameOf = ({ method, path, body }: Read) => `${method} ${path}${body === undefined ? "" : JSON.stringify(body)}`;

/** Learns the right answers, twice the same, and begins to ask. */
export async function startWatch(account: FrozenAccount): Promise<Watch> {
  const reads = account.reads();
  const right = new Map<string, string>();
  for (const read of reads) {
    const answer = await account.ask(read);
    if (answer.status !== 200) throw new Error(`${nameOf(read)} was answered ${JSON.stringify(answer)}`);
    right.set(nameOf(read), textOf(answer));
  }
  const wrong: string[] = [];
  let isEnded = false;
  let isResting = false;
  const validate = (read: Read, answer: Answer): string | undefined => {
    if (answer.status === 0) return `no answer: ${answer.body}`;
    if (answer.status === 503 && REFUSED.has(String(answer.body.code))) return String(answer.body.code);
    if (textOf(answer) === right.get(nameOf(read))) return undefined;
    const line = `${nameOf(read)} was answered ${textOf(answer).slice(0, 400)} instead of ${right.get(nameOf(read))?.slice(0, 400)}`;
    if (!isResting && wrong.length < WRONG_LISTED) wrong.push(line);
    return line;
  };
  const asking = (async () => {
    while (!isEnded) {
      for (const read of reads) validate(read, await account.ask(read));
      await sleep(PAUSE_MS);
    }
  })();
  const check = (which: readonly Read[], expected: string | undefined) => async () => {
    for (const read of which) {
      const found = validate(read, await account.ask(read));
      if (found !== expected) return `${nameOf(read)}: ${found ?? "answered"}`;
    }
    return undefined;
  };
  return {
    untilRefused: (which, code) => until(check(reads.filter(which), code), { timeoutMs: SEEN_TIMEOUT_MS }),
    rest() {
      isResting = true;
    },
    async untilRight() {
      await until(check(reads, undefined), { timeoutMs: SEEN_TIMEOUT_MS });
      isResting = false;
    },
    async stop() {
      isEnded = true;
      await asking;
      return wrong;
    },
  };
}

function textOf({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body)}`;
}
