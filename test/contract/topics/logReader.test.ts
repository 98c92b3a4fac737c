import { connect, type Socket } from "node:net";
import { createLogger } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import { catalogue, createLogReader, createTopicAdmin, type SocketFactory } from "@headwater/topics";
import { afterAll, beforeAll, expect, test } from "vitest";

const brokers = useServices().kafkaBrokers.split(",");
const logger = createLogger({ name: "test", level: "silent" });
const topics = createTopicAdmin({ brokers, clientId: "test", logger });
const sockets: Socket[] = [];
const socketFactory: SocketFactory = ({ host, port, onConnect }) => {
  const socket = connect({ host, port }, onConnect);
  sockets.push(socket);
  return socket;
};

beforeAll(() => topics.apply());
afterAll(() => topics.close());

test("a reader that was asked for many topics at the same time leaves no connection open", async () => {
  const reader = createLogReader({ brokers, clientId: "test", logger, socketFactory });
  const partitions = catalogue.flatMap(({ name, partitions: count }) =>
    Array.from({ length: count }, (_, partition) => ({ topic: name, partition, offset: 0 })),
  );
  await Promise.all(partitions.map((at) => reader.frames(at)));
  expect(sockets.length).toBeGreaterThan(0);
  await reader.close();
  await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length).toBe(0);
});
