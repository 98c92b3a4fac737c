import type { LogRecord } from "../harness/readLog.ts";
import { identifiersOf } from "./contacts.ts";
import { type ModelOutcome, membersOf, type Origin } from "./shapes.ts";
import { ModelState } from "./state.ts";

/** A record that was refused at least once. */
export interface ModelReject {
  readonly requestId: string;
  status: "parked" | "open" | "applied" | "skipped";
  attempts: number;
  /** Reason why it was skipped when it came again. */
  code: string;
}

export interface RequestTally {
  readonly skips: Map<string, number>;
  readonly warnings: Map<string, number>;
}

export interface Replayed {
  readonly state: ModelState;
  /** Outcomes by `partition/offset/place`: one for every record of the log. */
  readonly outcomes: ReadonlyMap<string, ModelOutcome["kind"]>;
  readonly rejects: ReadonlyMap<string, ModelReject>;
  readonly keyedIds: ReadonlySet<string>;
  readonly tallies: ReadonlyMap<string, RequestTally>;
}

const ATTEMPTS = 2;
const nothing: ReadonlySet<string> = new Set();

/** Replays the log, partition by partition, and says what each record must have become. */
export function replay(log: readonly LogRecord[]): Replayed {
  const state = new ModelState();
  const outcomes = new Map<string, ModelOutcome["kind"]>();
  const rejects = new Map<string, ModelReject>();
  const keyedIds = new Set<string>();
  const tallies = new Map<string, RequestTally>();
  const greatestTimes = new Map<number, number>();
  const partitionOf = new Map<string, number>();
  for (const at of log) {
    const timeMs = Math.max(at.timeMs, greatestTimes.get(at.partition) ?? 0);
    greatestTimes.set(at.partition, timeMs);
    expectOnePartition(partitionOf, at);
    const version = at.version ?? versionOf(timeMs, at);
    const isRepeat = at.record.keyed === true && keyedIds.has(String(at.record.id));
    const outcome = replayOne(at, { state, rejects, keyedIds, version });
    outcomes.set(`${at.partition}/${at.offset}/${at.place}`, outcome.kind);
    if (at.record.redriveOf === undefined && !isRepeat) count(tallies, String(at.record.id), outcome);
  }
  return { state, outcomes, rejects, keyedIds, tallies };
}

interface Step {
  readonly state: ModelState;
  readonly rejects: Map<string, ModelReject>;
  readonly keyedIds: Set<string>;
  readonly version: string;
}

function replayOne(at: LogRecord, { state, rejects, keyedIds, version }: Step): ModelOutcome {
  const { record } = at;
  const isRedriven = record.redriveOf !== undefined;
  const recordId = String(record.redriveOf ?? record.id);
  const reject = rejects.get(recordId);
  if (isRedriven ? !isAwaited(reject, at) : record.keyed === true && keyedIds.has(recordId)) {
    return { kind: "skipped", code: "DUPLICATE", warnings: nothing };
  }
  if (record.keyed === true && !isRedriven) keyedIds.add(recordId);
  const origin: Origin = { accountId: at.account, recordId, version };
  const outcome = state.apply(at.operation, record, origin);
  const attempts = at.attempt ?? 0;
  if (outcome.kind === "unknown") {
    const status = attempts < ATTEMPTS ? "parked" : "open";
    rejects.set(recordId, { requestId: requestOf(recordId), status, attempts, code: "" });
  } else if (reject !== undefined) {
    reject.status = outcome.kind;
    if (outcome.kind === "skipped") reject.code = outcome.code;
  }
  return outcome;
}

/** A parked record is tried once for each attempt that it comes for, however often that stands in the log. */
function isAwaited(reject: ModelReject | undefined, { attempt = 0 }: LogRecord): boolean {
  return reject?.status === "parked" && attempt > reject.attempts;
}

/** (time, stream, partition, offset, position) as 32 hex characters. */
function versionOf(timeMs: number, { partition, offset, place: position }: LogRecord): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  return `${hex(timeMs, 11)}01${hex(partition, 4)}${hex(offset, 12)}${hex(position, 3)}`;
}

function count(tallies: Map<string, RequestTally>, recordId: string, outcome: ModelOutcome): void {
  const requestId = requestOf(recordId);
  const tally = tallies.get(requestId) ?? { skips: new Map(), warnings: new Map() };
  tallies.set(requestId, tally);
  if (outcome.kind === "unknown") return;
  if (outcome.kind === "skipped") raise(tally.skips, outcome.code);
  for (const code of outcome.warnings) raise(tally.warnings, code);
}

const requestOf = (recordId: string): string => recordId.slice(0, recordId.indexOf(":"));

function raise(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

/** The model's order is the order of commit only where each group of identifiers keeps to one partition. */
function expectOnePartition(partitions: Map<string, number>, { record, partition }: LogRecord): void {
  const named = record.contact ?? { identifiers: membersOf(record.record) };
  for (const [name, value] of identifiersOf(membersOf(named))) {
    const known = partitions.get(`${name}\n${value}`) ?? partition;
    if (known !== partition) throw new Error(`${name} ${value} is on partitions ${known} and ${partition}`);
    partitions.set(`${name}\n${value}`, known);
  }
}
