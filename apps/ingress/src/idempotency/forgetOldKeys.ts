import type { Logger, Part } from "@headwater/kernel";
import { deleteIdempotency, type Session } from "@headwater/stores";

const KEPT_MS = 72 * 3_600_000;
const EVERY_MS = 600_000;

/** Drops Idempotency-Keys after 72 hours. */
export function forgetOldKeys(session: Session, logger: Logger): Part {
  let timer: NodeJS.Timeout | undefined;
  async function forget(): Promise<void> {
    try {
      await deleteIdempotency(session, KEPT_MS);
    } catch (error) {
      logger.warn({ err: error }, "old Idempotency-Keys were not dropped; the next round tries again");
    }
  }
  return {
    start: () => {
      timer = setInterval(() => void forget(), EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
