import { createProgressView } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

export interface MemoryTerminalOptions {
  /** Standard input. */
  readonly input?: string;
  /** A person is there, who answers every question so. */
  readonly answer?: string;
  readonly isOutTerminal?: boolean;
  /** Aborts when somebody interrupts the command; default never. */
  readonly interruption?: AbortSignal;
}

/** A terminal of a test: it keeps what was said. */
export function createMemoryTerminal(options: MemoryTerminalOptions = {}) {
  const { input = "", answer, isOutTerminal = false, interruption = new AbortController().signal } = options;
  let out = "";
  let said = "";
  const ask = async (question: string) => {
    said += question;
    return answer ?? "";
  };
  const write = (text: string) => {
    said += text;
  };
  const terminal: Terminal = {
    isOutTerminal,
    isInTerminal: answer !== undefined,
    hasColours: false,
    out: (text) => {
      out += text;
    },
    outBytes: (chunk) => {
      out += Buffer.from(chunk).toString();
    },
    drained: async () => undefined,
    say: (line) => write(`${line}\n`),
    progress: createProgressView({ write }, {}),
    ask,
    askSecret: ask,
    readInput: async () => input,
    async *readLines() {
      yield* input.split("\n");
    },
    async *readBytes() {
      yield Buffer.from(input);
    },
    interruption: () => interruption,
  };
  return { terminal, out: () => out, said: () => said };
}
