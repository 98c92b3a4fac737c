import { createSandbox, type SandboxOptions } from "@headwater/sandbox";
import type { IncomingMail } from "../mail/readMail.ts";
import type { IncomingTasks, PostedEvents, ReadEvents } from "./incomingProcess.ts";

/** Reads what strangers send, in processes of their own. */
export interface IncomingReader {
  /**
   * Reads the head of a mail for the account that a token in it names. Undefined when the mail ended its process.
   * @throws HeadwaterError 429 or 503 when too many mails of the account wait, or of the others.
   */
  readMail(account: number, head: Uint8Array): Promise<IncomingMail | undefined>;
  /** Reads events that a provider posted. Undefined when they ended their process. @throws HeadwaterError as `readMail` does. */
  readEvents(account: number, posted: PostedEvents): Promise<ReadEvents | undefined>;
  close(): Promise<void>;
}

const MAIL_MS_MAX = 2_000;
const EVENTS_MS_MAX = 2_000;

/** Creates a reader whose processes start with the first mail. */
export function createIncomingReader(options: Pick<SandboxOptions, "onEnded"> = {}): IncomingReader {
  const entry = new URL("./incomingProcess.ts", import.meta.url);
  const sandbox = createSandbox<IncomingTasks>({
    ...options,
    name: "incoming",
    what: "incoming mails and events",
    entry,
  });
  return {
    async readMail(account, head) {
      const outcome = await sandbox.run(account, "readMail", head, { deadlineMs: MAIL_MS_MAX });
      return outcome.kind === "done" ? outcome.output : undefined;
    },
    async readEvents(account, posted) {
      const outcome = await sandbox.run(account, "readEvents", posted, { deadlineMs: EVENTS_MS_MAX });
      return outcome.kind === "done" ? outcome.output : undefined;
    },
    close: () => sandbox.close(),
  };
}
