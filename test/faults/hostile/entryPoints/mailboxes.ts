import fc from "fast-check";
import { until } from "../../harness/until.ts";
import type { EntryPoint } from "./entryPoint.ts";
import { type HonestDialogue, type HostileServer, hostileAnswers, startHostileServer } from "./hostileServer.ts";
import { hostileText } from "./hostileText.ts";

const KIB = 1024;
const MIB = KIB * KIB;
/** Time in which a tracker comes back to its mailbox, also on a busy machine. */
const POLLED_MS_MAX = 20_000;
const MAIL = "Subject: hi\r\n\r\nhi";

const STEPS: readonly string[] = ["greeting", "LOGIN", "CAPABILITY", "SELECT", "SEARCH", "FETCH", "STORE"];
const GREETING = { turn: 0, text: "* OK [CAPABILITY IMAP4rev1] ready\r\n" };

/** Leads the dialogue of one poll, in which the mailbox has one unseen mail; the turns are those of `STEPS`. */
function imapDialogue(uid: number): HonestDialogue {
  const untagged: Readonly<Record<string, string>> = {
    CAPABILITY: "* CAPABILITY IMAP4rev1\r\n",
    SELECT: `* 1 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT ${uid + 1}] ok\r\n`,
    SEARCH: `* SEARCH ${uid}\r\n`,
    FETCH: `* 1 FETCH (UID ${uid} BODY[]<0> {${MAIL.length}}\r\n${MAIL})\r\n`,
  };
  return (piece) => {
    if (piece === undefined) return GREETING;
    const [tag = "", ...words] = piece.trim().split(" ");
    const [command = ""] = words[0] === "UID" ? words.slice(1) : words;
    return { turn: STEPS.indexOf(command), text: `${untagged[command] ?? ""}${tag} OK done\r\n` };
  };
}

/** Starts the server of a mailbox with one unseen mail, another one for each poll. */
export function startHostileMailbox(): Promise<HostileServer> {
  let uid = 0;
  return startHostileServer(() => {
    uid += 1;
    return imapDialogue(uid);
  });
}

const texts = hostileText({
  bytesMax: 2 * MIB,
  units: [
    "\r\n",
    "\0",
    " ",
    '"',
    "\\",
    "{999999999}\r\n",
    "{1}\r\nx",
    "NIL ",
    "+ go\r\n",
    "* OK x\r\n",
    "* BYE x\r\n",
    "* 1 EXISTS\r\n",
    "* 7 EXPUNGE\r\n",
    "* SEARCH 7 ",
    "* VANISHED 1:4294967295\r\n",
    "* 1 FETCH (FLAGS (",
    "* ESEARCH (TAG 1) UID ALL 1:999999999,",
    '* 1 FETCH (BODYSTRUCTURE ("a" ',
    "=?utf-8?q?=41?=",
  ],
  pairs: [
    ["(", ")"],
    ['("a" ', ")"],
  ],
});
const beginnings = fc.constantFrom("", "* ", "* SEARCH ", "* 1 FETCH (UID 7 BODY[]<0> ", "* 1 FETCH (BODYSTRUCTURE ");
const answers = fc.record({ begins: beginnings, text: texts }).map(({ begins, text }) => `${begins}${text}\r\n`);

/** Polls of the tracker's mailbox, which answers one step as it likes. */
export function mailboxEntryPoint(server: HostileServer): EntryPoint {
  return {
    name: "answers of a mailbox",
    texts: hostileAnswers({ from: 0, to: STEPS.length - 1 }, answers),
    async attack(answer) {
      const before = server.answered();
      server.answerWith(answer);
      const polled = async () => (server.answered() > before ? undefined : "the mailbox was not polled");
      return until(polled, { timeoutMs: POLLED_MS_MAX }).then(
        () => 200,
        () => 0,
      );
    },
    reached: server.answered,
    end: () => server.stop(),
  };
}
