import { defaultSettings } from "@headwater/contracts";
import { createLogger, createOutbound, systemClock } from "@headwater/kernel";
import { expect, test, vi } from "vitest";
import { createTransportOpener } from "./openTransport.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const transport = {
  ...{ account: 1, id: "b".repeat(24), name: "mail", channel: "email", type: "smtp" as const },
  settings: JSON.stringify({ host: "mail.example.com", username: "u", password: { sealed: "sealed", last4: "word" } }),
  ...{ isDefault: true, enabled: true, createdAt: 1, updatedAt: 1 },
};

test("a transport whose secrets no key opens is none, and the log says which one and not what", async () => {
  const logger = createLogger({ name: "test", level: "silent" });
  const error = vi.spyOn(logger, "error");
  const outbound = createOutbound({ allow: [] });
  const render = () => Promise.reject(new Error("nothing is rendered"));
  const open = createTransportOpener({
    ...{ outbound, logger, clock: systemClock, renders: { render }, sealer: undefined },
  });
  expect(open(transport, account)).toBeUndefined();
  expect(error.mock.calls).toEqual([
    [expect.objectContaining({ accountId: account.id, transport: transport.id }), expect.any(String)],
  ]);
  expect(JSON.stringify(error.mock.calls)).not.toContain("sealed");
  await outbound.close();
});
