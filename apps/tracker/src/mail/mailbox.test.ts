import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createLogger, watchLoopTurns } from "@headwater/kernel";
import { afterEach, expect, test } from "vitest";
import { readMailbox } from "./mailbox.ts";
import { mailLimits } from "./mailLimits.ts";
import type { ArrivedMail } from "./takeMail.ts";

const MIB = 1024 * 1024;
/** Longest time of a core for which one answer may hold the loop. */
const HELD_SECONDS_MAX = 0.25;
const MAIL = "Subject: hi\r\n\r\nhi";
const logger = createLogger({ name: "test", level: "silent" });

/** Memory of this thread: tests of other files run in others of the same process. */
function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

type Answers = Readonly<Partial<Record<"greeting" | "SEARCH" | "FETCH", (socket: Socket, tag: string) => void>>>;

interface MailServer {
  readonly port: number;
  sentBytes(): number;
}

/** Serves a mailbox of one unseen mail, with these answers in the place of the usual ones. */
async function serveMailbox(answers: Answers): Promise<MailServer> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined).setNoDelay();
    const say = (...lines: string[]) => socket.write(`${lines.join("\r\n")}\r\n`);
    if (answers.greeting === undefined) say("* OK [CAPABILITY IMAP4rev1] ready");
    else answers.greeting(socket, "*");
    let pending = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      const lines = `${pending}${chunk}`.split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) {
        const [tag = "", ...words] = line.split(" ");
        const command = words[0] === "UID" ? words[1] : words[0];
        if (command === "CAPABILITY") say("* CAPABILITY IMAP4rev1");
        if (command === "SELECT") say("* 1 EXISTS", "* OK [UIDVALIDITY 1] ok", "* OK [UIDNEXT 8] ok");
        if (command === "SEARCH" || command === "FETCH") {
          const answer = answers[command];
          if (answer !== undefined) {
            answer(socket, tag);
            continue;
          }
          if (command === "SEARCH") say("* SEARCH 7");
          else say(`* 1 FETCH (UID 7 BODY[]<0> {${MAIL.length}}`, `${MAIL})`);
        }
        say(`${tag} OK done`);
      }
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  return { port, sentBytes: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) };
}

/** Sends a beginning, and then a piece without end: a chunk a turn, so that this side of the connection does not hold the loop either. */
function endless(socket: Socket, beginning: string, piece: string): void {
  const chunk = Buffer.from(piece.repeat(Math.ceil((64 * 1024) / piece.length)));
  const more = () => {
    if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
  };
  socket.write(beginning, more);
}

function look(port: number, taken: ArrivedMail[] = []): Promise<boolean> {
  const take = async (mail: ArrivedMail) => {
    taken.push(mail);
    return "taken" as const;
  };
  const mailbox = { host: "127.0.0.1", port, secure: false, user: "u", password: "p", folder: "INBOX" };
  return readMailbox({ mailbox, take, logger });
}

test("a mail is taken from a mailbox", async () => {
  const { port } = await serveMailbox({});
  const taken: ArrivedMail[] = [];
  expect(await look(port, taken)).toBe(false);
  expect(taken.map(({ head }) => head.toString())).toEqual([MAIL]);
});

test("a search that finds 100,000 mails is read", async () => {
  const uids = Array.from({ length: 100_000 }, (_, n) => 1_000_000 + n).join(" ");
  const { port } = await serveMailbox({
    SEARCH: (socket, tag) => void socket.write(`* SEARCH ${uids}\r\n${tag} OK done\r\n`),
  });
  expect(await look(port)).toBe(true);
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

test.each(Object.entries(hostile))(
  "%s ends the look, in bounded memory",
  async (_what, answers) => {
    const { port, sentBytes } = await serveMailbox(answers);
    const before = heldBytes();
    let most = 0;
    const memory = setInterval(() => {
      most = Math.max(most, heldBytes() - before);
    }, 20);
    const heldSeconds = watchLoopTurns();
    await expect(look(port)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retriable: true });
    clearInterval(memory);
    expect(heldSeconds()).toBeLessThan(HELD_SECONDS_MAX);
    expect(most).toBeLessThan(256 * MIB);
    // What stands in the buffers of both sides comes on top.
    expect(sentBytes()).toBeLessThan(128 * MIB);
  },
  30_000,
);
