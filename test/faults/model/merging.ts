import type { ModelChannel, ModelContact } from "./shapes.ts";

/** Joins the dead contact into the survivor: of every member the later write, of the identifiers all. */
export function mergeContacts(survivor: ModelContact, dead: ModelContact): void {
  for (const [name, theirs] of dead.attributes) {
    const ours = survivor.attributes.get(name);
    if (ours === undefined || theirs.version > ours.version) survivor.attributes.set(name, theirs);
  }
  for (const [name, theirs] of dead.channels) {
    survivor.channels.set(name, joinChannels(survivor.channels.get(name) ?? {}, theirs));
  }
  for (const [name, values] of dead.identifiers) {
    const ours = survivor.identifiers.get(name) ?? [];
    survivor.identifiers.set(name, [...ours, ...values.filter((value) => !ours.includes(value))]);
  }
  dead.identifiers.clear();
  dead.mergedInto = survivor;
  dead.wasMerged = true;
  survivor.wasMerged = true;
}

function joinChannels(ours: ModelChannel, theirs: ModelChannel): ModelChannel {
  const last = (versions: readonly (string | undefined)[]) => input(versions).at(-1);
  const unsubscribed = last([ours.unsubscribed, theirs.unsubscribed]);
  const forced = last([ours.forced, theirs.forced]);
  const [subscribed] = input([ours.subscribed, theirs.subscribed]);
  return {
    ...(unsubscribed === undefined ? {} : { unsubscribed }),
    ...(forced === undefined ? {} : { forced }),
    ...(subscribed === undefined ? {} : { subscribed }),
  };
}

function input(versions: readonly (string | undefined)[]): string[] {
  return versions.filter((version) => version !== undefined).sort();
}
