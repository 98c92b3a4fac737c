import { defaultSettings } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { expect, test } from "vitest";
import { createHandovers, type HandoverLimits } from "./handovers.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

/** Transports of any id, and which of them were closed. */
function world(limits: HandoverLimits) {
  const closed: string[] = [];
  let opened = 0;
  const session: Session = {
    query: async (_statement, [number, id] = []) => {
      const row = { account: number, id, name: "t", channel: "email", type: "log", settings: "{}", isDefault: false };
      return JSON.parse(JSON.stringify([{ ...row, enabled: true, createdAt: 1, updatedAt: 1 }]));
    },
    execute: async () => 0,
  };
  const handovers = createHandovers(
    session,
    ({ id }) => {
      opened += 1;
      const handover = {
        deliver: () => Promise.reject(new Error("nothing is sent")),
        close: async () => void closed.push(id),
      };
      return { handover, dkim: [], rates: { perSecond: undefined, windows: [], perDomain: {}, warmup: undefined } };
    },
    limits,
  );
  const use = (transportId: string) => handovers.of(account, { channel: "email", transportId });
  return { handovers, use, closed, opened: () => opened };
}

test("of more transports than are kept open the one that was not used for the longest time is closed", async () => {
  const { handovers, use, closed, opened } = world({ keptMax: 2, idleMs: 60_000 });
  for (const id of ["a", "b", "a", "c"]) await use(id);
  expect(closed).toEqual(["b"]);
  await use("a");
  expect(opened()).toBe(3);
  await handovers.close();
  expect(closed.toSorted()).toEqual(["a", "b", "c"]);
});

test("a transport that is not used any more is closed when another one is used", async () => {
  const { use, closed } = world({ keptMax: 10, idleMs: 0 });
  for (const id of ["a", "b"]) await use(id);
  expect(closed).toContain("a");
});
