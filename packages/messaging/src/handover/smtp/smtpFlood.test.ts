import { createServer, type Server, type Socket } from "node:net";
import { createOutbound } from "@headwater/kernel";
import { afterAll, afterEach, expect, test } from "vitest";
import { createSmtpHandover } from "./smtpHandover.ts";
import { timeoutsOf } from "./smtpTarget.ts";

const outbound = createOutbound({ allow: ["127.0.0.1"] });
const HONEST = ["220 mx\r\n", "250 mx\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n"];
const steps = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "dot"];
const CHUNK_BYTES = 256 * 1024;
/** Bytes that a client without a bound would take; buffers of the system hold some MiB. */
const TAKEN_BYTES_MAX = 32 * 1024 * 1024;
const mail = {
  ...{ mcId: "a:m:b:c:1", channel: "email", address: "ada@example.org", copies: [], content: {}, headers: {} },
  ...({ classification: "promotional", returnPath: "bounce@example.com" } as const),
  raw: Buffer.from("Subject: x\r\n\r\nx\r\n"),
};

let server: Server | undefined;
afterEach(() => server?.close());
afterAll(() => outbound.close());

/** Starts a server that leads the dialogue up to a step and then sends one line over and over. @returns its port, and how many bytes it sent. */
async function startFlood(step: number, line: string): Promise<{ readonly port: number; sent(): number }> {
  const chunk = Buffer.from(line.repeat(Math.ceil(CHUNK_BYTES / line.length)));
  let sent = 0;
  const flood = (socket: Socket) => {
    while (!socket.destroyed && sent < TAKEN_BYTES_MAX) {
      sent += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  const listening = createServer((socket) => {
    let turn = 0;
    const speak = () => {
      if (turn < step) socket.write(HONEST[turn] ?? "");
      if (turn === step) {
        socket.on("drain", () => flood(socket));
        flood(socket);
      }
      turn += 1;
    };
    socket.on("error", () => socket.destroy());
    socket.on("data", speak);
    speak();
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, sent: () => sent };
}

const floods = steps.flatMap((name, step) =>
  ["\r\n", "250 ok\r\n", "250-more\r\n", "x"].map((line) => [JSON.stringify(line), name, step, line] as const),
);

test.each(floods)("a server that repeats %s at %s is left, and takes no memory", async (_line, _name, step, line) => {
  const { port, sent } = await startFlood(step, line);
  const target = { host: "127.0.0.1", port, tls: "none", connections: 1 } as const;
  const handover = createSmtpHandover(target, { outbound, timeouts: timeoutsOf(target) });
  await handover.deliver(mail, new AbortController().signal);
  await handover.close();
  expect(sent()).toBeGreaterThan(0);
  expect(sent()).toBeLessThan(TAKEN_BYTES_MAX);
});
