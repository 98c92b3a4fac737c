import { createServer, type Socket } from "node:net";
import fc from "fast-check";
import { z } from "zod";

/** Answer of a hostile server: what it says in one turn of a dialogue that it leads honestly up to there. */
const hostileAnswer = z.object({ turn: z.number(), isEndless: z.boolean(), text: z.string() });
type HostileAnswer = z.output<typeof hostileAnswer>;

/** A server whose next connections get the answer that was set last. */
export interface HostileServer {
  readonly port: number;
  /** Sets an answer, as `hostileAnswers` writes it. */
  answerWith(answer: string): void;
  /** Number of connections that came to the hostile turn. */
  answered(): number;
  stop(): Promise<void>;
}

/** Bytes after which an endless answer ends: whoever has read so much had no bound. */
const ENDLESS_BYTES_MAX = 64 * 1024 * 1024;
/** Short texts are repeated up to so many bytes at a time. */
const PIECE_BYTES = 64 * 1024;
/** Time for which a server says nothing after its answer. */
const HOLD_MS = 300;

export interface HostileTurns {
  readonly from: number;
  readonly to: number;
}

/** Generates answers for some turns of a dialogue, as texts. */
export function hostileAnswers({ from, to }: HostileTurns, texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const answers = fc.record({ turn: fc.integer({ min: from, max: to }), isEndless: fc.boolean(), text: texts });
  return answers.map((answer) => JSON.stringify(answer));
}

/** One turn of an honest server; an empty text says nothing. */
export interface HonestTurn {
  readonly turn: number;
  readonly text: string;
}

/** Says what an honest server says when a connection opens (without a piece), and then to each piece that comes in. */
export type HonestDialogue = (piece: string | undefined) => HonestTurn;

/** Starts a dialogue whose texts follow one another, whatever comes in. */
function inOrder(texts: readonly string[]): HonestDialogue {
  let turns = 0;
  return () => {
    const turn = turns++;
    return { turn, text: texts[turn] ?? "" };
  };
}

/**
 * Starts a server on the loopback.
 * @param honest texts one after another, or what begins the dialogue of a connection. Behind its hostile turn a server says nothing more.
 */
export async function startHostileServer(honest: readonly string[] | (() => HonestDialogue)): Promise<HostileServer> {
  let answer: HostileAnswer = { turn: 0, isEndless: false, text: "\r\n" };
  let answered = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const { turn: hostileTurn, isEndless, text } = answer;
    const dialogue = typeof honest === "function" ? honest() : inOrder(honest);
    let isOver = false;
    const speak = (piece?: string) => {
      if (isOver) return;
      const said = dialogue(piece);
      isOver = said.turn === hostileTurn;
      if (!isOver) {
        socket.write(said.text);
        return;
      }
      answered += 1;
      void sayAll(socket, Buffer.from(text, "latin1"), isEndless);
    };
    speak();
    socket.on("data", (piece) => speak(piece.toString("latin1")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    answerWith(input) {
      answer = hostileAnswer.parse(JSON.parse(input));
    },
    answered: () => answered,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("drain", () => resolve()));
}

/** Writes an answer, over and over again where it is endless, no faster than it is read. */
async function sayAll(socket: Socket, bytes: Buffer, isEndless: boolean): Promise<void> {
  const piece = isEndless ? Buffer.alloc(Math.max(bytes.length, PIECE_BYTES), bytes) : bytes;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let written = 0;
  do {
    if (!socket.write(piece)) await Promise.race([closed, drained(socket)]);
    written += piece.length;
  } while (isEndless && written < ENDLESS_BYTES_MAX && !socket.destroyed);
  setTimeout(() => socket.destroy(), HOLD_MS).unref();
}
