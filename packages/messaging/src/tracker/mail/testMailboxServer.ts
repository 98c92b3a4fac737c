import { once } from "node:events";
import { createServer as createPlainServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";

/** Source of the mail that the mailbox has, unseen. */
export const MAIL = "Subject: hi\r\n\r\nhi";

type Step = "greeting" | "SELECT" | "SEARCH" | "FETCH" | "STORE";
/** Answers in the place of the honest ones. */
export type Answers = Readonly<Partial<Record<Step, (socket: Socket, tag: string) => void>>>;

export interface MailboxServerOptions {
  /** Key and certificate, as PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The connection begins in the clear and offers STARTTLS. */
  readonly isUpgraded?: boolean;
}

export interface MailboxServer {
  readonly port: number;
  /** Commands of the client in the order of their arrival, without their tags. */
  readonly commands: readonly string[];
  /** Sets the answers of the next connections. */
  answerWith(answers: Answers): void;
  /** Replaces the mail with one of another UID. */
  replaceMail(uid: number): void;
  sentBytes(): number;
  close(): void;
}

/** Lines of the answers about a mailbox of one mail. */
const honest = (uid: number): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ["SELECT", ["* 1 EXISTS", "* OK [UIDVALIDITY 1] ok", `* OK [UIDNEXT ${uid + 1}] ok`]],
    ["SEARCH", [`* SEARCH ${uid}`]],
    ["FETCH", [`* 1 FETCH (UID ${uid} BODY[]<0> {${MAIL.length}}`, `${MAIL})`]],
  ]);

/** Serves a mailbox of one mail, at first UID 7, that stays unseen whatever flags it gets. */
export async function serveMailbox({ tls, isUpgraded = false }: MailboxServerOptions = {}): Promise<MailboxServer> {
  let next: Answers = {};
  let mail = honest(7);
  const commands: string[] = [];
  const sockets: Socket[] = [];
  const serve = (socket: Socket, isGreeted: boolean) => {
    const answers = next;
    sockets.push(socket);
    socket.on("error", () => undefined).setNoDelay();
    const offers = isUpgraded && !(socket instanceof TLSSocket) ? "IMAP4rev1 STARTTLS" : "IMAP4rev1";
    const say = (...lines: readonly string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(""));
    const answer = (line: string) => {
      const [tag = "", ...words] = line.split(" ");
      const [command = ""] = words[0] === "UID" ? words.slice(1) : words;
      commands.push(words.join(" "));
      const hostile = Object.entries(answers).find(([step]) => step === command)?.[1];
      if (hostile !== undefined) return hostile(socket, tag);
      if (command === "CAPABILITY") say(`* CAPABILITY ${offers}`);
      say(...(mail.get(command) ?? []), `${tag} OK done`);
      if (command !== "STARTTLS") return;
      socket.removeAllListeners("data");
      serve(new TLSSocket(socket, { isServer: true, ...tls }), true);
    };
    if (!isGreeted && answers.greeting === undefined) say(`* OK [CAPABILITY ${offers}] ready`);
    else if (!isGreeted) answers.greeting?.(socket, "*");
    let pending = "";
    socket.on("data", (chunk) => {
      const lines = `${pending}${chunk.toString("latin1")}`.split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) answer(line);
    });
  };
  const greet = (socket: Socket) => serve(socket, false);
  const server: Server = tls !== undefined && !isUpgraded ? createTlsServer(tls, greet) : createPlainServer(greet);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  return {
    port,
    commands,
    answerWith(answers) {
      next = answers;
    },
    replaceMail(uid) {
      mail = honest(uid);
    },
    sentBytes: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const MIB = 1024 * 1024;
/** Bytes after which an answer without end ends: whoever has read so much had no bound. */
const ENDLESS_BYTES_MAX = 256 * MIB;
const PIECE_BYTES = 64 * 1024;

/** Sends a beginning, and then a piece without end: a chunk a turn, so that this side of the connection does not hold the loop either. */
export function sayEndless(socket: Socket, beginning: string, piece: string): void {
  const chunk = Buffer.from(piece.repeat(Math.ceil(PIECE_BYTES / piece.length)), "latin1");
  const more = () => {
    if (!socket.destroyed && socket.bytesWritten < ENDLESS_BYTES_MAX) socket.write(chunk, () => setImmediate(more));
  };
  socket.write(beginning, "latin1", more);
}
