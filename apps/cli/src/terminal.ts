import { once } from "node:events";
import { createInterface as createLines } from "node:readline";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { createProgressView, type ProgressView } from "./progress.ts";

/** Terminal of a command: data on `out`, all else on `say`, one question at a time on `ask`. */
export interface Terminal {
  readonly isOutTerminal: boolean;
  /** A person can be asked. */
  readonly isInTerminal: boolean;
  readonly hasColours: boolean;
  /** Data, as it is. */
  out(text: string): void;
  /** Data that is no text. */
  outBytes(chunk: Uint8Array): void;
  /** Resolves when what was given to `out` is on its way: a slow reader slows the command, and nothing heaps up. */
  drained(): Promise<void>;
  /** One line for people, on standard error. */
  say(line: string): void;
  /** Shows how far something is, on standard error: a bar on a terminal, lines elsewhere. */
  readonly progress: Pick<ProgressView, "show" | "end">;
  ask(question: string): Promise<string>;
  /** Asks like `ask`, without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** All of standard input as text, for `-f -`. */
  readInput(): Promise<string>;
  /** Standard input line by line. */
  readLines(): AsyncIterable<string>;
  /** Standard input as it comes. */
  readBytes(): AsyncIterable<Uint8Array>;
  /** Aborts at the first SIGINT or SIGTERM from now on, which then ends nothing by itself; the second ends the process. */
  interruption(): AbortSignal;
}

export function createTerminal(process: NodeJS.Process): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const isOutTerminal = stdout.isTTY === true;
  const progress = createProgressView(stderr, env);
  const ask = async (question: string, output: NodeJS.WritableStream) => {
    const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY === true });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
  return {
    isOutTerminal,
    isInTerminal: stdin.isTTY === true && stderr.isTTY === true,
    hasColours: isOutTerminal && (env.NO_COLOR ?? "") === "",
    out(text) {
      progress.clear();
      stdout.write(text);
    },
    outBytes(chunk) {
      progress.clear();
      stdout.write(chunk);
    },
    async drained() {
      if (stdout.writableNeedDrain) await once(stdout, "drain");
    },
    say(line) {
      progress.clear();
      stderr.write(`${line}\n`);
    },
    progress,
    ask: (question) => ask(question, stderr),
    async askSecret(question) {
      stderr.write(question);
      // Readline draws what is typed on its output: on one that swallows it nothing is seen.
      const secret = await ask("", new Writable({ write: (_chunk, _encoding, done) => done() }));
      stderr.write("\n");
      return secret;
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString("utf8");
    },
    readBytes: () => stdin,
    interruption() {
      const controller = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
      return controller.signal;
    },
    readLines: () => createLines({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY }),
  };
}
