import { createOutbound } from "@headwater/kernel";
import { type SmtpAction, type SmtpCommand, startSmtpServer, type TestSmtpServer } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Handover, OutgoingMail } from "../../frozen/handover.ts";
import { createSmtpHandover } from "./smtpHandover.ts";
import { type SmtpTarget, timeoutsOf } from "./smtpTarget.ts";

const outbound = createOutbound({ allow: ["127.0.0.1"] });
const PASSWORD = "not a secret";
const SLOW_MS = 400;
const slow = { handshakeMs: SLOW_MS, loginMs: SLOW_MS, envelopeMs: SLOW_MS, blockMs: SLOW_MS, answerMs: SLOW_MS };

let server: TestSmtpServer;
const handovers: Handover[] = [];
beforeAll(async () => {
  server = await startSmtpServer({ password: PASSWORD });
});
afterAll(async () => {
  await Promise.all([...handovers.map((handover) => handover.close()), server.stop(), outbound.close()]);
});
beforeEach(() => server.behave());

let sent = 0;
const signal = new AbortController().signal;
const mailOf = (over: Partial<OutgoingMail> = {}, bytes = 10): OutgoingMail => {
  sent += 1;
  const raw = `Message-ID: <m${sent}@example.com>\r\nSubject: x\r\n\r\n.\r\n${".".repeat(bytes)}\r\n`;
  return {
    ...{ mcId: `a:m:b:c:${sent}`, channel: "email", address: "ada@example.org", copies: [], content: {}, headers: {} },
    ...{ classification: "promotional", returnPath: "bounce@example.com", raw: Buffer.from(raw), ...over },
  };
};
/** Outcome and answer in one. */
const deliver = async (handover: Handover, mail: OutgoingMail) => {
  const { outcome, ...said } = await handover.deliver(mail, signal);
  return { ...outcome, ...said };
};
const copies = ["copy@example.com"];
const idOf = () => `<m${sent}@example.com>`;
const open = (target: Partial<SmtpTarget> = {}, isSlow = false) => {
  const whole: SmtpTarget = { host: "127.0.0.1", port: server.port, tls: "none", username: "u", ...target };
  const withPassword = { password: PASSWORD, ...whole };
  const timeouts = { ...timeoutsOf(whole), ...(isSlow && slow) };
  const handover = createSmtpHandover(withPassword, { outbound, timeouts });
  handovers.push(handover);
  return handover;
};
const ids = async () => (await server.taken()).map(({ messageId }) => messageId);

const deferred = { kind: "deferred", slowsDown: false };
const slower = { kind: "deferred", slowsDown: true };
const ours = { kind: "transport-failure" };
const hard = { kind: "hard-bounce" };
const soft = (bounce: string) => ({ kind: "soft-bounce", bounce });
const unknown = { kind: "unknown" };
const answer = (code: number, text?: string): SmtpAction => ({
  kind: "answer",
  code,
  ...(text !== undefined && { text }),
});
const commands: readonly SmtpCommand[] = ["CONN", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "DOT"];
const isBeforeMail = (command: SmtpCommand) => ["CONN", "EHLO", "AUTH", "MAIL"].includes(command);

/** Expected outcome of each behaviour at a command. */
const behaviours: readonly [string, SmtpAction, (command: SmtpCommand) => object][] = [
  ["421", answer(421, "4.3.2 closing"), () => slower],
  ["450", answer(450, "4.2.1 later"), () => deferred],
  ["452", answer(452, "4.3.1 full"), () => deferred],
  ["454", answer(454, "4.7.0 not now"), () => slower],
  ["535", answer(535, "5.7.8 no"), () => ours],
  ["550 without a code", answer(550, "no"), (at) => (at === "RCPT" ? hard : isBeforeMail(at) ? ours : soft("other"))],
  ["550 5.1.1", answer(550, "5.1.1 who"), (at) => (isBeforeMail(at) ? ours : hard)],
  ["552 5.2.2", answer(552, "5.2.2 full"), (at) => (isBeforeMail(at) ? ours : soft("full"))],
  ["554 5.7.1", answer(554, "5.7.1 blocked"), (at) => (isBeforeMail(at) ? ours : soft("policy"))],
  ["a reset", { kind: "reset" }, (at) => (at === "DOT" ? unknown : deferred)],
  ["silence", { kind: "hang" }, (at) => (at === "DOT" ? unknown : deferred)],
  ["a byte at a time", { kind: "drip", msPerByte: 100 }, (at) => (at === "DOT" ? unknown : deferred)],
];
const table = commands.flatMap((command) =>
  behaviours.map(([name, action, outcomeOf]) => [name, command, action, outcomeOf(command)] as const),
);

describe.each([
  ["with", []],
  ["without", ["PIPELINING"]],
] as const)("a server %s pipelining", (_with, without) => {
  let own: TestSmtpServer;
  beforeAll(async () => {
    own = await startSmtpServer({ password: PASSWORD, without });
  });
  afterAll(() => own.stop());

  test.each(table)("an answer of %s at %s has its outcome", async (_name, command, action, outcome) => {
    await own.behave({ command, action });
    const isSlow = action.kind === "hang" || action.kind === "drip";
    const handover = open({ port: own.port }, isSlow);
    expect(await deliver(handover, mailOf())).toMatchObject(outcome);
    const taken = (await own.taken()).map(({ messageId }) => messageId);
    // A server that drips has the mail: its answer came too late.
    expect(taken.includes(idOf())).toBe(command === "DOT" && action.kind === "drip");
    await handover.close();
  });

  test("a lost answer to a mail that was taken leaves the outcome unknown", async () => {
    for (const kind of ["reset", "hang"] as const) {
      await own.behave({ command: "DOT", action: { kind, accepted: true } });
      const handover = open({ port: own.port }, kind === "hang");
      expect(await deliver(handover, mailOf())).toEqual(unknown);
      expect((await own.taken()).map(({ messageId }) => messageId)).toContain(idOf());
    }
  });

  test("a refused recipient leaves no mail for the copy alone, and the next mail goes", async () => {
    await own.behave({ command: "RCPT", to: "ada@", action: answer(450, "4.2.1 greylisted"), times: 1 });
    const handover = open({ port: own.port });
    expect(await deliver(handover, mailOf({ copies }))).toMatchObject(deferred);
    expect((await own.taken()).map(({ messageId }) => messageId)).not.toContain(idOf());
    expect(await deliver(handover, mailOf({ copies }))).toMatchObject({ kind: "sent" });
    expect((await own.taken()).at(-1)?.recipients).toEqual(["ada@example.org", "copy@example.com"]);
  });

  test("a refused copy does not keep the mail from its recipient", async () => {
    await own.behave({ command: "RCPT", to: "copy@", action: answer(550, "5.1.1 who") });
    const handover = open({ port: own.port });
    expect(await deliver(handover, mailOf({ copies }))).toMatchObject({ kind: "sent", code: 250 });
    const taken = { messageId: idOf(), recipients: ["ada@example.org"], at: expect.any(Number) };
    expect((await own.taken()).at(-1)).toEqual(taken);
  });

  test("two refusals count by the recipient's own", async () => {
    await own.behave(
      { command: "RCPT", to: "copy@", action: answer(450, "4.2.1 later") },
      { command: "RCPT", action: answer(550, "5.1.1 who") },
    );
    const result = await deliver(open({ port: own.port }), mailOf({ copies }));
    expect(result).toEqual({ kind: "hard-bounce", code: 550, text: "5.1.1 who" });
  });
});

describe("connections", () => {
  test("carry one mail after the other, also behind one that was refused", async () => {
    const before = await server.counts();
    const handover = open({ connections: 1 });
    await server.behave({ command: "RCPT", action: answer(550, "5.1.1 who"), times: 1 });
    const results = await Promise.all([mailOf(), mailOf(), mailOf()].map((one) => deliver(handover, one)));
    expect(results.map(({ kind }) => kind)).toEqual(["hard-bounce", "sent", "sent"]);
    expect((await server.counts()).connections - before.connections).toBe(1);
  });

  test("are as many as the transport says, and no more", async () => {
    const before = await server.counts();
    const handover = open({ connections: 3 });
    const results = await Promise.all(Array.from({ length: 30 }, () => deliver(handover, mailOf())));
    expect(results.filter(({ kind }) => kind === "sent")).toHaveLength(30);
    const after = await server.counts();
    expect([after.connections - before.connections, after.mails - before.mails]).toEqual([3, 30]);
  });

  test("are given to a transactional mail first, whatever promotional ones wait", async () => {
    const before = (await ids()).length;
    const handover = open({ connections: 1 });
    const [first, ...others] = Array.from({ length: 51 }, () => deliver(handover, mailOf()));
    await first;
    const confirmation = deliver(handover, mailOf({ classification: "transactional" }));
    const confirmationId = idOf();
    await Promise.all([...others, confirmation]);
    const taken = (await ids()).slice(before);
    // The second one was under way when it came.
    expect([taken.length, taken.indexOf(confirmationId)]).toEqual([52, 2]);
  });

  test("a connection that the server closed meanwhile is replaced within the same try", async () => {
    const handover = open({ connections: 1 });
    expect(await deliver(handover, mailOf())).toMatchObject({ kind: "sent" });
    await server.behave({ command: "MAIL", action: { kind: "reset" }, times: 1 });
    expect(await deliver(handover, mailOf())).toMatchObject({ kind: "sent" });
    expect((await ids()).filter((id) => id === idOf())).toHaveLength(1);
  });
});

describe("a mail", () => {
  test("of many blocks arrives whole, once", async () => {
    expect(await deliver(open(), mailOf({}, 1_000_000))).toMatchObject({ kind: "sent", code: 250 });
    expect((await ids()).filter((id) => id === idOf())).toHaveLength(1);
  });

  test("whose claim ends before the dot is given up", async () => {
    let asked = 0;
    const isClaimed = () => {
      asked += 1;
      return asked < 3;
    };
    expect(await deliver(open(), mailOf({ isClaimed }))).toEqual(deferred);
    expect(await deliver(open(), mailOf({ isClaimed: () => false }))).toEqual(deferred);
    expect(await ids()).not.toContain(idOf());
  });

  test("an aborted mail is unknown once its dot may be out, else to be tried later", async () => {
    const stop = new AbortController();
    await server.behave({ command: "DOT", action: { kind: "hang", accepted: true } });
    const under = open().deliver(mailOf(), stop.signal);
    await expect.poll(ids).toContain(idOf());
    stop.abort();
    expect(await under).toEqual({ outcome: unknown });
    expect(await open().deliver(mailOf(), stop.signal)).toEqual({ outcome: deferred });
  });

  test("to an address that no envelope holds bounces hard, and the server is not asked", async () => {
    const before = await server.counts();
    for (const address of ["a>b@example.org", "a@example.org, b@example.org", "a b@example.org", "nobody"]) {
      expect(await deliver(open(), mailOf({ address }))).toMatchObject(hard);
    }
    expect(await server.counts()).toEqual(before);
  });

  test("to a domain outside ASCII goes to its name in DNS", async () => {
    await server.behave({ command: "RCPT", to: "<ada@xn--exmple-cua.org>", action: answer(450, "4.2.1 later") });
    expect(await deliver(open(), mailOf({ address: "ada@exämple.org" }))).toMatchObject(deferred);
  });

  test("larger than the server takes bounces softly", async () => {
    const small = await startSmtpServer({ sizeMax: 1_000 });
    const handover = createSmtpHandover({ host: "127.0.0.1", port: small.port, tls: "none" }, { outbound });
    expect(await deliver(handover, mailOf({}, 2_000))).toMatchObject(soft("size"));
    await handover.close();
    await small.stop();
  });
});

test("a private address is refused where it is connected to", async () => {
  const handover = createSmtpHandover(
    { host: "127.0.0.1", port: server.port },
    { outbound: createOutbound({ allow: [] }) },
  );
  const text = expect.stringContaining("HEADWATER_PRIVATE_TRANSPORTS");
  expect(await deliver(handover, mailOf())).toMatchObject({ ...ours, text });
});

test("a server that nobody reaches is tried later", async () => {
  expect(await deliver(open({ port: 1 }), mailOf())).toEqual(deferred);
});

test("a password that is wrong or missing is our side", async () => {
  expect(await deliver(open({ password: "wrong" }), mailOf())).toMatchObject({ ...ours, code: 535 });
  expect(await deliver(open({ password: "" }), mailOf())).toMatchObject(ours);
});
