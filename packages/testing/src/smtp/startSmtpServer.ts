import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FromServer, SmtpRule, SmtpServerOptions, ToServer } from "./smtpRules.ts";

/** A mail as the server's file has it. */
export interface TakenMail {
  readonly messageId: string;
  readonly recipients: readonly string[];
  /** Its first tracked link. */
  readonly link?: string;
  /** Time at which it was taken, in milliseconds since 1970. */
  readonly at: number;
}

/** A mail server in a process of its own that misbehaves on demand and knows what it took, whatever happens to its clients. */
export interface TestSmtpServer {
  readonly port: number;
  /** Process id, for signals. */
  readonly pid: number;
  /** Replaces the rules; the first one that fits a command holds. */
  behave(...rules: readonly SmtpRule[]): Promise<void>;
  /** Mails that were taken, in order, from the server's file. */
  taken(): Promise<TakenMail[]>;
  counts(): Promise<{ readonly connections: number; readonly mails: number }>;
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL("./smtpServerProcess.ts", import.meta.url));

export async function startSmtpServer(options: Omit<SmtpServerOptions, "file"> = {}): Promise<TestSmtpServer> {
  const folder = await mkdtemp(join(tmpdir(), "headwater-smtp-"));
  const file = join(folder, "taken");
  await writeFile(file, "");
  const child = fork(ENTRY, [JSON.stringify({ ...options, file })], { execArgv: [], stdio: "inherit" });
  const listening = await nextMessage(child, "listening");
  const ask = async <Kind extends FromServer["kind"]>(message: ToServer, kind: Kind) => {
    const answer = nextMessage(child, kind);
    child.send(message);
    return answer;
  };
  return {
    port: listening.port,
    pid: child.pid ?? 0,
    async behave(...rules) {
      await ask({ kind: "rules", rules }, "ruled");
    },
    async taken() {
      const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line) => {
        const [messageId = "", recipients = "", link = "", at] = line.split(" ");
        return { messageId, recipients: recipients.split(","), at: Number(at), ...(link !== "" && { link }) };
      });
    },
    counts: () => ask({ kind: "counts" }, "counts"),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the next message of a kind. Rejects when the process ends before. */
function nextMessage<Kind extends FromServer["kind"]>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<FromServer, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the mail server ended"));
    if (child.exitCode !== null) onExit();
    const onMessage = (message: FromServer) => {
      if (!isOfKind(message, kind)) return;
      child.off("message", onMessage).off("exit", onExit);
      resolve(message);
    };
    child.on("message", onMessage).on("exit", onExit);
  });
}

function isOfKind<Kind extends FromServer["kind"]>(
  message: FromServer,
  kind: Kind,
): message is Extract<FromServer, { kind: Kind }> {
  return message.kind === kind;
}
