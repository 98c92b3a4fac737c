import type { IncomingMessage } from "node:http";
import type { BodyWatch } from "../body/bodyWatch.ts";

/** More than any body we take: who sends so much after a refusal is cut off. */
const BYTES_MAX = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Reads on what a refused request still sends: a connection that is closed on unread bytes is reset, and its client may
 * never see the answer. Bounded in bytes and time; a slow one is closed.
 */
export function createDiscard(watch: BodyWatch): (request: IncomingMessage) => void {
  return (request) => {
    const { socket } = request;
    const fromBytes = socket.bytesRead;
    const close = () => request.destroy();
    const unwatch = watch.add({ receivedBytes: () => socket.bytesRead, tooSlow: close });
    const timer = setInterval(() => {
      if (request.complete || request.destroyed) stop();
      else if (socket.bytesRead - fromBytes > BYTES_MAX) close();
    }, 100).unref();
    const deadline = setTimeout(close, TIMEOUT_MS).unref();
    function stop(): void {
      unwatch();
      clearInterval(timer);
      clearTimeout(deadline);
    }
    request.once("close", stop);
    request.resume();
  };
}
