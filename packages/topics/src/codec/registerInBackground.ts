import type { Part } from "@headwater/kernel";
import type { Codec } from "./codec.ts";

/**
 * Builds the part of a process that registers its schemas next to everything else: the registry may come later than the process. Until then
 * what writes frames is answered with 503. `onRefused` is called when the registry refuses a schema for good.
 */
export function registerInBackground(codec: Pick<Codec, "ready">, onRefused: (error: unknown) => void): Part {
  const stopping = new AbortController();
  return {
    start() {
      codec.ready(stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) onRefused(error);
      });
    },
    stop: () => stopping.abort(),
  };
}
