import { setTimeout as sleep } from "node:timers/promises";
import kafkajs, { type Admin } from "kafkajs";
import type { ReconnectingClient } from "../kafka/reconnectingClient.ts";
import { unavailable } from "../kafka/unavailable.ts";
import type { TopicDefinition } from "./catalogue.ts";
import { type ClusterView, carryOut, expectMissing, readCluster } from "./clusterTopics.ts";
import { diffTopics, type TopicStep } from "./topicPlan.ts";

export interface TopicPlansOptions {
  readonly client: Pick<ReconnectingClient<Admin>, "ask">;
  readonly timeoutMs: number;
  readonly flushMessages: string | undefined;
}

const RESOLVE_POLL_MS = 50;
const IN_SYNC_POLL_MS = 500;
/** Time that `apply` waits for new replicas. Those of large topics take longer: the next `apply` goes on from there. */
const IN_SYNC_WAIT_MS = 60_000;
const ROUNDS_MAX = 3;

/** Compares a cluster with the catalogue, and changes it. */
export class TopicPlans {
  readonly #options: TopicPlansOptions;

  constructor(options: TopicPlansOptions) {
    this.#options = options;
  }

  plan(definitions: readonly TopicDefinition[]): Promise<readonly TopicStep[]> {
    return this.#options.client.ask(async (admin) => {
      const steps = this.#stepsOf(definitions, await readAll(definitions)(admin));
      for (const { kind, topic } of steps) if (kind === "create") await expectMissing(admin, topic);
      return steps;
    });
  }

  /** Replicas come before the settings that need them, so there may be a second round. */
  async apply(definitions: readonly TopicDefinition[]): Promise<readonly TopicStep[]> {
    const { client, timeoutMs } = this.#options;
    const done: TopicStep[] = [];
    let planned = await this.plan(definitions);
    for (let round = 1; round <= ROUNDS_MAX; round++) {
      const open = planned.filter(isOpen);
      if (round === 1) done.push(...planned);
      else done.push(...open);
      if (open.length === 0) break;
      await client.ask((admin) => carryOut(admin, open, timeoutMs));
      await this.#settled(definitions, open);
      if (open.every(({ kind }) => kind !== "reassign")) break;
      await this.#inSync(definitions);
      planned = this.#stepsOf(definitions, await client.ask(readAll(definitions)));
    }
    return done;
  }

  #stepsOf(definitions: readonly TopicDefinition[], { topics, brokers }: ClusterView): readonly TopicStep[] {
    return diffTopics(definitions, topics, { brokers, flushMessages: this.#options.flushMessages });
  }

  /** Returns whether none of the steps is open. While brokers learn of a new topic, one lists it that another denies, or its leader is not chosen. */
  async #isApplied(definitions: readonly TopicDefinition[], steps: readonly TopicStep[]): Promise<boolean> {
    const applied = new Set(steps.map(keyOf));
    try {
      const view = await this.#options.client.ask(readAll(definitions));
      return !this.#stepsOf(definitions, view).some((step) => applied.has(keyOf(step)));
    } catch (error) {
      if (isTopicUnsettled(error)) return false;
      throw error;
    }
  }

  /** A broker answers before it has applied a change to itself, and before the others know of it. */
  async #settled(definitions: readonly TopicDefinition[], steps: readonly TopicStep[]): Promise<void> {
    const deadlineMs = Date.now() + this.#options.timeoutMs;
    while (!(await this.#isApplied(definitions, steps))) {
      if (Date.now() > deadlineMs) throw unavailable("Kafka did not apply the topics' settings in time.", 1);
      await sleep(RESOLVE_POLL_MS);
    }
  }

  /** Waits for the replicas of all partitions, up to a bound. */
  async #inSync(definitions: readonly TopicDefinition[]): Promise<void> {
    const deadlineMs = Date.now() + IN_SYNC_WAIT_MS;
    while (Date.now() < deadlineMs) {
      const { topics } = await this.#options.client.ask(readAll(definitions));
      if (topics.every(({ partitions }) => partitions.every(({ replicas, inSync }) => inSync >= replicas.length)))
        return;
      await sleep(IN_SYNC_POLL_MS);
    }
  }
}

function readAll(definitions: readonly TopicDefinition[]): (admin: Admin) => Promise<ClusterView> {
  const names = definitions.map(({ name }) => name);
  return (admin) => readCluster(admin, names);
}

function isOpen({ kind }: TopicStep): boolean {
  return kind !== "same" && kind !== "refused";
}

/** Names a step by what it changes. */
function keyOf(step: TopicStep): string {
  const changes = step.kind === "alter" ? step.changes.map(({ name, to }) => `${name}=${to}`) : [];
  return [step.kind, step.topic, ...changes].join(" ");
}

const UNSETTLED: ReadonlySet<string> = new Set(["UNKNOWN_TOPIC_OR_PARTITION", "LEADER_NOT_AVAILABLE"]);

function isTopicUnsettled(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof kafkajs.KafkaJSProtocolError && UNSETTLED.has(cause.type);
}
