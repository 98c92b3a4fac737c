import { expect, test, vi } from "vitest";
import { registerInBackground } from "./registerInBackground.ts";

test("the start does not wait for the registry, and a stop ends the attempts in silence", async () => {
  const onRefused = vi.fn();
  const ready = (signal = new AbortController().signal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const part = registerInBackground({ ready }, onRefused);
  expect(part.start?.()).toBeUndefined();
  part.stop?.();
  await new Promise(setImmediate);
  expect(onRefused).not.toHaveBeenCalled();
});

test("a schema that the registry refuses for good is reported", async () => {
  const refused = new Error("incompatible");
  const onRefused = vi.fn();
  registerInBackground({ ready: () => Promise.reject(refused) }, onRefused).start?.();
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalledWith(refused));
});
