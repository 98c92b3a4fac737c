import { execFile } from "node:child_process";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { createLogger, watchLoopTurns } from "@headwater/kernel";
import { createTestChain } from "@headwater/testing";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import type { TakenMail } from "./mailIntake.ts";
import { mailLimits } from "./mailLimits.ts";
import type { ArrivedMail } from "./takeMail.ts";
import {
  type Answers,
  sayEndless as endless,
  MAIL,
  type MailboxServer,
  type MailboxServerOptions,
  serveMailbox,
} from "./testMailboxServer.ts";

const MIB = 1024 * 1024;
/** Longest time of a core for which one answer may hold the loop of the tracker. */
const HELD_SECONDS_MAX = 0.25;
/** Growth of the tracker's memory; its socket and the pipe to the process hold some chunks each. */
const MEMORY_BYTES_MAX = 64 * MIB;
const logger = createLogger({ name: "test", level: "silent" });

/** Memory of this thread: tests of other files run in others of the same process. */
function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const servers: MailboxServer[] = [];
const mailboxes: Mailbox[] = [];
afterEach(async () => {
  await Promise.all(mailboxes.splice(0).map((mailbox) => mailbox.close()));
  for (const server of servers.splice(0)) server.close();
});

async function serve(answers: Answers = {}, options?: MailboxServerOptions): Promise<MailboxServer> {
  const server = await serveMailbox(options);
  server.answerWith(answers);
  servers.push(server);
  return server;
}

interface OpenedMailbox extends Mailbox {
  readonly taken: readonly ArrivedMail[];
  readonly ended: readonly string[];
}

interface Opening {
  readonly host?: string;
  readonly secure?: boolean;
  readonly outcome?: TakenMail;
}

function openMailbox(
  port: number,
  { host = "127.0.0.1", secure = false, outcome = "taken" }: Opening = {},
): OpenedMailbox {
  const taken: ArrivedMail[] = [];
  const ended: string[] = [];
  const mailbox = createMailbox({
    mailbox: { host, port, secure, user: "u", password: "p", folder: "INBOX" },
    take: async (mail) => {
      taken.push(mail);
      return outcome;
    },
    onEnded: ({ task, reason }) => ended.push(`${task} ${reason}`),
    logger,
  });
  mailboxes.push(mailbox);
  return { poll: () => mailbox.poll(), close: () => mailbox.close(), taken, ended };
}

const headsOf = ({ taken }: OpenedMailbox) => taken.map(({ head }) => head.toString());
const away = { code: "SERVICE_UNAVAILABLE", retriable: true };

test("a mail is taken from a mailbox and marked as seen", async () => {
  const { port, commands } = await serve();
  const mailbox = openMailbox(port);
  expect(await mailbox.poll()).toBe(false);
  expect(headsOf(mailbox)).toEqual([MAIL]);
  expect(commands).toContainEqual(expect.stringMatching(/^UID STORE 7 \+FLAGS(\.SILENT)? \(\\Seen\)$/));
});

test("a mail that ended the process that parsed it is flagged", async () => {
  const { port, commands } = await serve();
  await openMailbox(port, { outcome: "set-aside" }).poll();
  expect(commands).toContainEqual(expect.stringMatching(/^UID STORE 7 \+FLAGS(\.SILENT)? \(\\Seen \\Flagged\)$/));
});

test("a search that finds 100,000 mails is read", async () => {
  const uids = Array.from({ length: 100_000 }, (_, n) => 1_000_000 + n).join(" ");
  const { port } = await serve({
    SEARCH: (socket, tag) => void socket.write(`* SEARCH ${uids}\r\n${tag} OK done\r\n`),
  });
  expect(await openMailbox(port).poll()).toBe(true);
});

/** Ends the processes of mailboxes that this process has started, as an attack would that the limits of the library do not know. */
async function endMailboxProcesses(): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,command="]);
  for (const line of stdout.split("\n")) {
    const [pid, parent] = line.trim().split(/ +/);
    if (Number(parent) === process.pid && line.includes("mailboxProcess")) process.kill(Number(pid), "SIGKILL");
  }
}

test("a mail that ended the process that fetched it is flagged and not read again", async () => {
  const { port, commands, answerWith } = await serve({ FETCH: () => void endMailboxProcesses() });
  const mailbox = openMailbox(port);
  await expect(mailbox.poll()).rejects.toMatchObject(away);
  expect(mailbox.ended).toEqual(["poll memory"]);
  answerWith({});
  expect(await mailbox.poll()).toBe(false);
  expect(commands).toContainEqual(expect.stringMatching(/^UID STORE 7 \+FLAGS(\.SILENT)? \(\\Seen \\Flagged\)$/));
  expect(commands.filter((command) => command.startsWith("UID FETCH"))).toHaveLength(1);
  expect(mailbox.taken).toEqual([]);
});

describe("a mailbox over TLS", () => {
  const trusted = getCACertificates();
  afterEach(() => setDefaultCACertificates(trusted));

  test.each([
    ["from the first byte", false],
    ["by STARTTLS", true],
  ])("%s is read when this process trusts its certificate, and not otherwise", async (_how, isUpgraded) => {
    const chain = await createTestChain();
    const { port } = await serve({}, { tls: await chain.issue({ hosts: ["localhost"] }), isUpgraded });
    const opening = { host: "localhost", secure: !isUpgraded };
    const stranger = openMailbox(port, opening);
    await expect(stranger.poll()).rejects.toMatchObject(away);
    expect(stranger.taken).toEqual([]);
    setDefaultCACertificates([chain.root]);
    const mailbox = openMailbox(port, opening);
    expect(await mailbox.poll()).toBe(false);
    expect(headsOf(mailbox)).toEqual([MAIL]);
  });

  test("whose certificate is of another host is not read", async () => {
    const chain = await createTestChain();
    setDefaultCACertificates([chain.root]);
    const { port } = await serve({}, { tls: await chain.issue({ hosts: ["imap.example.com"] }) });
    await expect(openMailbox(port, { host: "localhost", secure: true }).poll()).rejects.toMatchObject(away);
  });
});

const nested = "(".repeat(MIB);
const hostile: Readonly<Record<string, Answers>> = {
  "a greeting without end": { greeting: (socket) => endless(socket, "* OK ", "x") },
  "a search in a line without end": { SEARCH: (socket) => endless(socket, "* SEARCH", " 7") },
  "answers without end that nobody asked for": {
    SEARCH: (socket) => endless(socket, "", `* OK ${"x".repeat(4_000)}\r\n`),
  },
  "a mail of a gibibyte": { FETCH: (socket) => endless(socket, "* 1 FETCH (UID 7 BODY[]<0> {1073741824}\r\n", "\0") },
  "a mail that is larger than what was asked for": {
    FETCH: (socket) => endless(socket, `* 1 FETCH (UID 7 BODY[]<0> {${4 * mailLimits.headBytes}}\r\n`, "a\r\n"),
  },
  "small literals without end": { FETCH: (socket) => endless(socket, "* 1 FETCH (", "{1}\r\nx ") },
  "a mebibyte of brackets": { FETCH: (socket) => void socket.end(`* 1 FETCH ${nested}\r\n`) },
  "a million words in one answer": { FETCH: (socket) => void socket.end(`* 1 FETCH (${"A ".repeat(MIB)})\r\n`) },
  "numbers of a mebibyte": { SEARCH: (socket) => void socket.end(`* SEARCH ${"9".repeat(MIB)}\r\n`) },
};

/** Watches this process, as which the tracker stands here, while it does some work. */
async function watched(work: () => Promise<void>): Promise<{ readonly heldSeconds: number; readonly bytes: number }> {
  const before = heldBytes();
  let bytes = 0;
  const memory = setInterval(() => {
    bytes = Math.max(bytes, heldBytes() - before);
  }, 20);
  const heldSeconds = watchLoopTurns();
  await work().finally(() => clearInterval(memory));
  return { heldSeconds: heldSeconds(), bytes };
}

test.each(Object.entries(hostile))(
  "%s ends the poll in bounded memory, and the next mail is read",
  async (_what, answers) => {
    const server = await serve();
    const mailbox = openMailbox(server.port);
    await mailbox.poll();
    server.answerWith(answers);
    const { heldSeconds, bytes } = await watched(() => expect(mailbox.poll()).rejects.toMatchObject(away));
    expect(heldSeconds).toBeLessThan(HELD_SECONDS_MAX);
    expect(bytes).toBeLessThan(MEMORY_BYTES_MAX);
    // What stands in the buffers of both sides comes on top.
    expect(server.sentBytes()).toBeLessThan(128 * MIB);
    // The mail itself is flagged where the process ended before its parser gave up.
    server.answerWith({});
    server.replaceMail(8);
    expect(await mailbox.poll()).toBe(false);
    expect(headsOf(mailbox)).toEqual([MAIL, MAIL]);
  },
  60_000,
);

/** Texts that an IMAP parser may count, nest or wait for. */
const PIECES = [
  "\r\n",
  "\0",
  "\n",
  " ",
  "(",
  ")",
  "[",
  "]",
  '"',
  "\\\\",
  "{999999999}\r\n",
  "{1}\r\nx",
  "~{9}\r\n",
  "NIL ",
  "9",
  "é",
  "+ go\r\n",
  "* OK [ALERT] x\r\n",
  "* 1 EXISTS\r\n",
  "* BYE x\r\n",
  "* 1 FETCH (FLAGS (",
  "* 7 EXPUNGE\r\n",
  "* FLAGS (",
  "* SEARCH 7 ",
  '* 1 FETCH (BODYSTRUCTURE ("a" ',
  "* ESEARCH (TAG 1) UID ALL 1:999999999,",
  "* VANISHED 1:4294967295\r\n",
  "=?utf-8?q?=41?=",
] as const;
const GENERATED_ATTACKS = 8;
const steps = fc.constantFrom("greeting", "SELECT", "SEARCH", "FETCH", "STORE");
const attacks = fc.record({
  step: steps,
  begins: fc.constantFrom("", "* ", "* SEARCH ", "* 1 FETCH (UID 7 BODY[]<0> ", "* 1 FETCH (BODYSTRUCTURE "),
  pieces: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }),
  bytes: fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((power) => 2 ** power),
    fc.constantFrom(mailLimits.mailboxLineBytes, mailLimits.mailboxLineBytes + 1, 2 * mailLimits.headBytes),
  ),
});
type Attack = ReturnType<typeof attacks.generate>["value"];

function answersOf({ step, begins, pieces, bytes }: Attack): Answers {
  const unit = pieces.join("");
  const text = unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
  return { [step]: (socket: Socket) => socket.end(`${begins}${text}\r\n`, "latin1") };
}

test("whatever a server answers, the tracker goes on and the next mail is read", async () => {
  const server = await serve();
  let mailbox = openMailbox(server.port);
  const attacked = async (attack: Attack) => {
    server.answerWith(answersOf(attack));
    const failure = await mailbox.poll().catch((error: unknown) => error);
    if (failure instanceof Error) expect(failure).toMatchObject(away);
  };
  await fc.assert(
    fc.asyncProperty(attacks, async (attack) => {
      const { heldSeconds, bytes } = await watched(() => attacked(attack));
      expect(heldSeconds).toBeLessThan(HELD_SECONDS_MAX);
      expect(bytes).toBeLessThan(MEMORY_BYTES_MAX);
      // A mail that ended its process is quarantined: a mailbox of its own knows nothing of it.
      if (mailbox.ended.length > 0) mailbox = openMailbox(server.port);
      server.answerWith({});
      const before = mailbox.taken.length;
      expect(await mailbox.poll()).toBe(false);
      expect(mailbox.taken.length).toBe(before + 1);
    }),
    { numRuns: GENERATED_ATTACKS },
  );
}, 180_000);
