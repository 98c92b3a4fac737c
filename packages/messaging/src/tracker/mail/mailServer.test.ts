import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createLogger, HeadwaterError } from "@headwater/kernel";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TakenMail } from "./mailIntake.ts";
import { mailLimits } from "./mailLimits.ts";
import { createMailServer, type MailServer, serverLimits } from "./mailServer.ts";
import type { ArrivedMail } from "./takeMail.ts";

/** Bits of a mail that a slow client writes in the time that a connection may last. */
const BITS = 10;

let taken: ArrivedMail[];
let failure: Error | undefined;
let becomes: TakenMail;
let lines: string[];
let server: MailServer;
let clients: Client[];

/** A client that sends the given lines and waits for the answers. */
class Client {
  readonly socket: Socket;
  #text = "";
  #wake: () => void = () => undefined;
  #isClosed = false;

  constructor(port: number, localAddress = "127.0.0.1") {
    this.socket = connect({ port, host: "127.0.0.1", localAddress });
    this.socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString();
      this.#wake();
    });
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
    clients.push(this);
  }

  /** Returns the code of the next whole answer; 0 when the connection ended. */
  async answer(): Promise<number> {
    for (;;) {
      const [whole, code] = /^(?:\d{3}-.*\r\n)*(\d{3})(?: .*)?\r\n/.exec(this.#text) ?? [];
      if (whole !== undefined) {
        this.#text = this.#text.slice(whole.length);
        return Number(code);
      }
      if (this.#isClosed) return 0;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async say(line: string): Promise<number> {
    this.socket.write(`${line}\r\n`);
    return this.answer();
  }

  async greet(): Promise<void> {
    expect([await this.answer(), await this.say("EHLO mx.example.org")]).toEqual([220, 250]);
  }

  /** Begins a mail up to its content. */
  async begin(...recipients: readonly string[]): Promise<number> {
    expect(await this.say("MAIL FROM:<>")).toBe(250);
    for (const recipient of recipients) expect(await this.say(`RCPT TO:<${recipient}>`)).toBe(250);
    return this.say("DATA");
  }
}

const start = async (limits: Partial<Record<keyof typeof serverLimits, number>> = {}, host = "127.0.0.1") => {
  const logger = createLogger({
    name: "mail",
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  server = createMailServer({
    logger,
    limits,
    isKnown: (address) => address.startsWith("bounce+"),
    take: async (mail) => {
      if (failure !== undefined) throw failure;
      taken.push(mail);
      return becomes;
    },
  });
  const port = await server.start({ host, port: 0 });
  return (from?: string) => new Client(port, from);
};

beforeEach(() => {
  [taken, failure, becomes, lines, clients] = [[], undefined, "taken", [], []];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const { socket } of clients) socket.destroy();
  await server.stop();
});

describe("the mail listener", () => {
  test("takes a mail before it answers, with the recipients of its envelope", async () => {
    const client = (await start())();
    await client.greet();
    expect(await client.begin("bounce+a@x.example.org", "bounce+b@x.example.org")).toBe(354);
    expect(await client.say("Subject: hi\r\n\r\n..dot\r\n.")).toBe(250);
    expect(taken.map(({ head, ...rest }) => ({ ...rest, text: head.toString() }))).toEqual([
      {
        recipients: ["bounce+a@x.example.org", "bounce+b@x.example.org"],
        hasSender: false,
        text: "Subject: hi\r\n\r\n.dot\r\n",
      },
    ]);
  });

  test("refuses recipients without a token, and ends a connection that tries many", async () => {
    const client = (await start({ unknownRecipients: 3 }))();
    await client.greet();
    await client.say("MAIL FROM:<ada@example.org>");
    const codes = [];
    for (let index = 0; index < 3; index += 1) codes.push(await client.say(`RCPT TO:<user${index}@x.example.org>`));
    expect([...codes, await client.answer()]).toEqual([550, 550, 421, 0]);
    expect(taken).toEqual([]);
  });

  test("answers 451 while what it needs is away, and for a fault of its own", async () => {
    const client = (await start())();
    await client.greet();
    const away = { code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true };
    for (failure of [new HeadwaterError(away), new Error("a bug")]) {
      await client.begin("bounce+a@x.example.org");
      expect(await client.say("x\r\n.")).toBe(451);
    }
    failure = undefined;
    await client.begin("bounce+a@x.example.org");
    expect(await client.say("x\r\n.")).toBe(250);
    expect(lines.filter((line) => line.includes("processing a mail failed"))).toHaveLength(1);
    expect(lines.join("")).not.toContain("bounce+");
  });

  test("refuses a mail for ever that ended the process that read it", async () => {
    const client = (await start())();
    await client.greet();
    becomes = "set-aside";
    await client.begin("bounce+a@x.example.org");
    expect(await client.say("x\r\n.")).toBe(554);
  });

  test("refuses a mail over its size, announced before or found after", async () => {
    const client = (await start())();
    await client.greet();
    expect(await client.say(`MAIL FROM:<> SIZE=${mailLimits.mailBytes + 1}`)).toBe(552);
    await client.begin("bounce+a@x.example.org");
    const line = `${"x".repeat(998)}\r\n`;
    client.socket.write(line.repeat(mailLimits.mailBytes / 1_000 + 1));
    expect(await client.say(".")).toBe(552);
    await client.begin("bounce+a@x.example.org");
    client.socket.write(line.repeat(mailLimits.mailBytes / 1_000 - 1));
    expect(await client.say(".")).toBe(250);
    expect(taken.map(({ head }) => head.length)).toEqual([mailLimits.headBytes]);
  });

  test.each(["127.0.0.1", "::"])("ends a client whose mail has no end, listening on %s", async (host) => {
    const client = (await start({ endlessBytes: 100_000 }, host))();
    await client.greet();
    await client.begin("bounce+a@x.example.org");
    const closed = new Promise((resolve) => client.socket.once("close", resolve));
    client.socket.write(`${"x".repeat(998)}\r\n`.repeat(200));
    await closed;
    expect(taken).toEqual([]);
  });

  test("ends a client that is busy for too long, however slowly", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const client = (await start())();
    await client.greet();
    await client.begin("bounce+a@x.example.org");
    // Not `once`: what is written last may be answered by a reset.
    const closed = new Promise((resolve) => client.socket.once("close", resolve));
    for (let written = 0; written < BITS; written += 1) {
      expect(client.socket.destroyed).toBe(false);
      client.socket.write("x");
      vi.advanceTimersByTime(serverLimits.connectionMs / BITS);
    }
    await closed;
    expect(taken).toEqual([]);
  });

  test("ends a line without an end", async () => {
    const client = (await start())();
    await client.greet();
    client.socket.write("x".repeat(serverLimits.commandBytes + 1));
    await once(client.socket, "close");
  });

  test("lets one address open so many connections and no more", async () => {
    const open = await start({ connectionsOfAddress: 3 });
    const codes = [];
    for (let count = 0; count < 4; count += 1) codes.push(await open().answer());
    expect(codes).toEqual([220, 220, 220, 421]);
    clients[0]?.socket.destroy();
    await expect.poll(() => open().answer()).toBe(220);
  });

  // Every address of 127.0.0.0/8 is this machine on Linux alone.
  const onLinux = test.skipIf(process.platform !== "linux");

  onLinux("220 idle connections from 11 addresses leave another address its own", async () => {
    // Nobody gives way here: the shares alone have to do.
    const open = await start({ givesWayMs: 3_600_000 });
    const hostile = Array.from({ length: 220 }, (_, count) => open(`127.0.1.${1 + (count % 11)}`));
    const codes = await Promise.all(hostile.map((client) => client.answer()));
    expect(codes).toContain(220);
    expect(codes).toContain(421);
    const honest = open("127.0.2.1");
    await honest.greet();
    expect(await honest.begin("bounce+a@x.example.org")).toBe(354);
    expect(await honest.say("Subject: hi\r\n\r\nhi\r\n.")).toBe(250);
    expect(taken).toHaveLength(1);
  });

  onLinux("when every slot is held, the connection that got nothing done for longest gives way", async () => {
    const open = await start({ connections: 4, givesWayMs: 50 });
    for (let count = 1; count <= 4; count += 1) await open(`127.0.1.${count}`).greet();
    const idle = clients.map(({ socket }) => once(socket, "close"));
    await expect.poll(() => open("127.0.2.1").answer()).toBe(220);
    await idle[0];
  });

  test("ends a connection whose mail has far more recipients than a mail may have, repeats included", async () => {
    const client = (await start({ recipients: 2, recipientsTooMany: 2 }))();
    await client.greet();
    expect(await client.say("MAIL FROM:<>")).toBe(250);
    const codes = [];
    for (let count = 0; count < 5; count += 1) codes.push(await client.say("RCPT TO:<bounce+a@x.example.org>"));
    expect(codes).toEqual([250, 250, 452, 452, 421]);
  });

  test("ends an address that tries unknown recipients over many connections sooner each time", async () => {
    const open = await start({ unknownPerSecond: 0, unknownAtOnce: 3 });
    const codes = [];
    for (let count = 0; count < 4; count += 1) {
      const client = open();
      await client.greet();
      await client.say("MAIL FROM:<>");
      codes.push(await client.say("RCPT TO:<nobody@x.example.org>"));
    }
    expect(codes).toEqual([550, 550, 550, 421]);
  });

  test("ends a connection that sends commands without end", async () => {
    const client = (await start({ commandBytesPerSecond: 2_000 }))();
    await client.greet();
    // A flood that is under way when the server leaves is reset.
    const closed = new Promise((resolve) => client.socket.once("close", resolve));
    const flood = setInterval(() => client.socket.write("NOOP\r\n".repeat(1_000)), 50);
    await closed;
    clearInterval(flood);
  });

  test("asks an address that sends too much to come later", async () => {
    const client = (await start({ mailsPerSecond: 0, mailsAtOnce: 2 }))();
    await client.greet();
    const codes = [];
    for (let mail = 0; mail < 3; mail += 1) {
      codes.push(await client.say("MAIL FROM:<>"));
      await client.say("RSET");
    }
    expect(codes).toEqual([250, 250, 451]);
  });
});
