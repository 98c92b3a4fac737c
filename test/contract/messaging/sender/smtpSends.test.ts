import type { AddressInfo } from "node:net";
import { createOutbound } from "@headwater/kernel";
import { messageIdOf } from "@headwater/messaging/compose/composeMail";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

let world: SenderWorld;
beforeAll(async () => {
  world = await senderWorld();
});
afterAll(() => world.close());

test("mails arrive at a real server over SMTP, whose refusal of a mailbox is a bounce", async () => {
  const got: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith("gone") ? Object.assign(new Error("5.1.1 no such user"), { responseCode: 550 }) : undefined,
      ),
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        got.push(Buffer.concat(parts).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address: AddressInfo | string | null = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await world.call("POST", "/v2/transports", {
    ...{ name: "real", channel: "email", type: "smtp", settings: { host: "127.0.0.1", port, tls: "none" } },
  });
  const { body: listed } = await world.call("GET", "/v2/transports");
  const { id } = listed.data.find(({ name }: { name: string }) => name === "real");
  await world.make("real", { classification: "transactional", transportID: id });
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const handovers = createHandovers(
    world.postgres,
    createTransportOpener({ ...world.ways, outbound, sealer: undefined }),
  );
  const to = [{ email: "ann@example.org" }, { email: "gone@example.org" }];
  const { body } = await world.call("POST", `${ROOT}/real/send`, { to });
  await world.sendAll(world.sender({ handovers }));
  expect(got).toHaveLength(1);
  expect(got[0]).toContain(messageIdOf(body.messagecontacts[0].mcID, "example.com"));
  expect(await world.states("real")).toEqual(["sent", "sent bounced"]);
  await handovers.close();
  await outbound.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
