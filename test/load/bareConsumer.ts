import { serveTasks } from "./processes/serveTasks.ts";
import { parseFrame, readTopic } from "./records/readTopic.ts";
import { type BareResult, bareConsumerTask } from "./tasks/bareTasks.ts";

/** Process: a limit of the activities group. kafkajs' consumer, that parses every frame and does nothing with it. */
serveTasks(async (task) => {
  const { brokers, topic } = bareConsumerTask.parse(task);
  let events = 0;
  let begun: { readonly atMs: number; readonly cpu: NodeJS.CpuUsage } | undefined;
  let ended = { atMs: 0, cpu: process.cpuUsage() };
  await readTopic(brokers, topic, (messages) => {
    // Connecting and joining a group are not what is compared.
    begun ??= { atMs: performance.now(), cpu: process.cpuUsage() };
    for (const { value } of messages) events += parseFrame(value).records.length;
    ended = { atMs: performance.now(), cpu: process.cpuUsage() };
    return true;
  });
  if (begun === undefined) throw new Error(`${topic} is empty`);
  const cpuMicroseconds = ended.cpu.user + ended.cpu.system - begun.cpu.user - begun.cpu.system;
  return {
    events,
    seconds: (ended.atMs - begun.atMs) / 1_000,
    cpuSeconds: cpuMicroseconds / 1e6,
  } satisfies BareResult;
});
