import type { LogReader } from "../kafka/logReader.ts";
import type { LogFrame } from "./partitionFeed.ts";
import type { NextPosition, StreamBatch, StreamHandler } from "./streamHandler.ts";
import type { PositionToCommit, SourceEvents, StreamSource, TopicPartition } from "./streamSource.ts";

interface MemoryLog {
  readonly sources: { readonly events: SourceEvents; stopped: boolean }[];
  lateSeek: number | undefined;
  readonly commits: PositionToCommit[];
  seeks: number;
  pauses: number;
  low: number;
  high: number;
  startError: Error | undefined;
  /** Frames that the log holds; changed by a test that cuts it. */
  frames: (from: number, to: number, partition: number) => LogFrame[];
  /** Reads it next to the group. */
  readonly reader: LogReader;
  open(events: SourceEvents): StreamSource;
}

/**
 * Makes a log in memory, for tests, that delivers like kafkajs: from a position that only a seek moves, nothing while paused, and, where
 * `lateSeek` says so, once more from somewhere else before a seek takes hold.
 */
export function memoryLog(partitions: number, records: number): MemoryLog {
  const log: MemoryLog = {
    sources: [],
    lateSeek: undefined,
    commits: [],
    seeks: 0,
    pauses: 0,
    low: 0,
    high: records,
    startError: undefined,
    frames: (from, to) => framesFrom(from, to),
    reader: {
      frames: async ({ offset, partition }) =>
        offset >= log.low && offset < log.high ? log.frames(offset, offset + 1, partition) : [],
      close: async () => undefined,
    },
    open(events: SourceEvents): StreamSource {
      const state = { events, stopped: false };
      const positions = new Map<number, number>();
      const paused = new Set(Array.from({ length: partitions }, (_, partition) => partition));
      const deliver = (at: TopicPartition, from: number) => {
        const to = Math.min(log.high, from + 7);
        positions.set(at.partition, to);
        events.batch(at, { frames: log.frames(from, to, at.partition), highWatermark: log.high });
      };
      const timer = setInterval(() => {
        events.alive();
        for (const [partition, from] of positions) {
          if (!paused.has(partition) && from < log.high) deliver({ topic: "t", partition }, from);
        }
      }, 1);
      log.sources.push(state);
      return {
        async start() {
          if (log.startError !== undefined) throw log.startError;
          events.assigned([...paused].map((partition) => ({ topic: "t", partition })));
        },
        pause({ partition }) {
          log.pauses += 1;
          paused.add(partition);
        },
        resume: ({ partition }) => paused.delete(partition),
        seek(at) {
          log.seeks += 1;
          positions.set(at.partition, at.offset);
          const late = log.lateSeek;
          log.lateSeek = undefined;
          if (late !== undefined)
            setImmediate(() =>
              events.batch(at, { frames: log.frames(late, log.high, at.partition), highWatermark: log.high }),
            );
        },
        async commit(offsets) {
          log.commits.push(...offsets);
        },
        async stop() {
          clearInterval(timer);
          state.stopped = true;
        },
      };
    },
  };
  return log;
}

export function framesFrom(from: number, to: number): LogFrame[] {
  return Array.from({ length: to - from }, (_, index) => ({
    offset: from + index,
    timeMs: 0,
    epoch: 1,
    key: undefined,
    value: Buffer.alloc(100),
    headers: {},
  }));
}

/** Makes a handler, for tests, that keeps its truth in memory and refuses nothing: what it misses is lost for the test to see. */
export function memoryHandler(script: (batch: StreamBatch) => NextPosition | undefined = () => undefined) {
  const handler = {
    truth: new Map<number, number>(),
    worked: new Map<number, number[]>(),
    starts: 0,
    async start({ partition, low }: Parameters<StreamHandler["start"]>[0]) {
      handler.starts += 1;
      return { fromOffset: handler.truth.get(partition) ?? low };
    },
    async batch(batch: StreamBatch): Promise<NextPosition> {
      const scripted = script(batch);
      if (scripted !== undefined) return scripted;
      const offsets = batch.frames.map(({ offset }) => offset);
      const worked = handler.worked.get(batch.partition) ?? [];
      worked.push(...offsets);
      handler.worked.set(batch.partition, worked);
      const next = (offsets.at(-1) ?? 0) + 1;
      handler.truth.set(batch.partition, next);
      return { kind: "next", offset: next };
    },
  };
  return handler;
}
