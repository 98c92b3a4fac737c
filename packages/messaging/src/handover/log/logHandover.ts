import type { Logger } from "@headwater/kernel";
import type { Handover } from "../../frozen/handover.ts";

/** Writes to the process log that a message would have gone out: neither its address nor its content. */
export function createLogHandover(logger: Logger): Handover {
  return {
    async deliver({ mcId, channel, raw, content }, signal) {
      if (signal.aborted) return { outcome: { kind: "deferred", slowsDown: false } };
      const bytes = raw?.length ?? Buffer.byteLength(Object.values(content).join(""));
      logger.info({ mcId, channel, bytes }, "message handed to the log");
      return { outcome: { kind: "sent" } };
    },
    close: async () => undefined,
  };
}
