import { createInterface } from "node:readline/promises";

/** Where a command speaks: data on `out`, all else on `say`, one question at a time on `ask`. */
export interface Terminal {
  readonly isOutTerminal: boolean;
  /** A person can be asked. */
  readonly isInTerminal: boolean;
  readonly hasColours: boolean;
  /** Data, as it is. */
  out(text: string): void;
  /** One line for people, on standard error. */
  say(line: string): void;
  ask(question: string): Promise<string>;
  /** All of standard input as text, for `-f -`. */
  readInput(): Promise<string>;
}

export function createTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  const isOutTerminal = stdout.isTTY === true;
  return {
    isOutTerminal,
    isInTerminal: stdin.isTTY === true && stderr.isTTY === true,
    hasColours: isOutTerminal && (env.NO_COLOR ?? "") === "",
    out: (text) => void stdout.write(text),
    say: (line) => void stderr.write(`${line}\n`),
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}
