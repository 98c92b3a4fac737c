import { sameJson, toJson } from "@headwater/contracts";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import { step } from "./fold.ts";
import type { Composition, Node } from "./orchestration.ts";
import { type Effect, effectId, filterFits, type Journey, type Run, type Stepped } from "./run.ts";

/** Returns whether a draft that was checked is the version that is published: publishing it makes no other one, and moves nobody. */
export function isPublished(composition: Composition, published: Composition): boolean {
  return sameJson(toJson(composition), toJson(published));
}

/** Nodes of a former version, each with the node of the new version at which its runs begin. */
export type Migration = ReadonlyMap<string, string>;

export interface MigrationNodes {
  /** Ids of the nodes of former versions. */
  readonly before: ReadonlySet<string>;
  /** Ids of the nodes of the new version. */
  readonly after: ReadonlySet<string>;
}

/** Returns the mistakes of a migration: nodes that the versions do not have. */
export function wrongMigration(migration: Migration, { before, after }: MigrationNodes): ErrorDetail[] {
  return [...migration].flatMap(([from, to]) => {
    const path = `/migrate/${pointerStep(from)}`;
    const unknown = (message: string) => ({ path, code: "unknown_reference", message });
    return [
      ...(before.has(from) ? [] : [unknown("No published version has this action.")]),
      ...(after.has(to) ? [] : [unknown(`The draft has no action ${JSON.stringify(to)}.`)]),
    ];
  });
}

export interface Migrating {
  readonly migration: Migration;
  /** The version that the run follows. */
  readonly before: Composition;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Moves a run to another version, where its node is named; all others stay on theirs. The new node begins from its start, but a delay or wait
 * that keeps its id goes on from when the run came to it. What was seen for waits that have changed is forgotten.
 */
export function migrateRun(journey: Journey, run: Run, { migration, before, at }: Migrating): Stepped {
  const to = migration.get(run.node);
  if (to === undefined || run.state !== "waiting" || run.version === journey.version)
    return { run, effects: [], isBehind: false };
  const { actions } = journey.composition;
  const [old, next] = [nodeOf(before.actions, run.node), nodeOf(actions, to)];
  const goesOn = old.id === next.id && old.type === next.type && (next.type === "wait" || next.type === "delay");
  const { waitsFor, held: _held, ...rest } = run;
  const effects: Effect[] = [{ id: effectId(run, "passed"), kind: "passed", node: run.node, at: run.since, to }];
  if (waitsFor?.kind === "outcome") {
    effects.push({ id: effectId(run, "cancel"), kind: "cancel", send: waitsFor.effect });
  }
  const same = new Set(actions.flatMap((node) => (isSameWait(node, before) ? [node.id] : [])));
  const seen = filterFits(run.seen, (wait) => same.has(wait));
  const now = Math.max(at, run.at);
  const moved: Run = {
    ...rest,
    ...{ version: journey.version, node: to, visit: run.visit + 1, seen, steps: 0, at: now },
    since: goesOn ? run.since : now,
    waitsFor: { kind: "begin" },
  };
  const stepped = step(journey, moved, { kind: "time", at: now });
  return { ...stepped, effects: [...effects, ...stepped.effects] };
}

function nodeOf(actions: readonly Node[], id: string): Node {
  const node = actions.find((one) => one.id === id);
  if (node === undefined) throw new Error(`no version of the migration has a node ${id}`);
  return node;
}

/** Returns whether a wait asks for the same as the one of its id in another version. */
function isSameWait(node: Node, { actions }: Composition): boolean {
  const old = actions.find(({ id }) => id === node.id);
  if (node.type !== "wait" || old?.type !== "wait") return false;
  const asks = ({ any, since }: typeof node.config) => toJson({ any, since });
  return sameJson(asks(node.config), asks(old.config));
}
