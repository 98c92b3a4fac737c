import type { AccountSettings, ErrorDetail, shapes } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";

type ContactWrite = shapes.ContactWrite;

const ATTRIBUTE_KEY_BYTES_MAX = 1024;
/** The 64 levels of a body, less those above an attribute's value in the deepest of them: batch, items, item, contact, attributes. */
const DEPTH_MAX = 64 - 5;

/** Rules of the door for a Contact that its shape cannot say. `at` is the pointer to it. */
export function checkContact(contact: ContactWrite, at: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (contact.attributes === undefined) {
    for (const flag of ["canBeCreated", "canBeUpdated"] as const) {
      if (contact[flag] !== true) continue;
      details.push({ path: `${at}/attributes`, code: "required", message: `${flag} needs attributes.` });
    }
    return details;
  }
  return [...details, ...checkAttributes(contact.attributes, `${at}/attributes`)];
}

function checkAttributes(attributes: shapes.AttributesWrite, at: string): ErrorDetail[] {
  const names = Object.keys(attributes);
  if (names.length === 0) return [{ path: at, code: "required", message: "At least one attribute must be present." }];
  const details: ErrorDetail[] = [];
  for (const name of names) {
    if (name.length > ATTRIBUTE_KEY_BYTES_MAX / 4 && Buffer.byteLength(name) > ATTRIBUTE_KEY_BYTES_MAX) {
      details.push({ path: at, code: "too_long", message: "An attribute's name has at most 1,024 bytes." });
    }
    const value = attributes[name];
    if (typeof value === "object" && value !== null && deeperThan(value, DEPTH_MAX)) {
      details.push({
        path: `${at}/${pointerStep(name)}`,
        code: "out_of_range",
        message: "Nesting is at most 64 levels.",
      });
    }
  }
  return [...details, ...checkChannels(attributes.channels, `${at}/channels`)];
}

function checkChannels(channels: shapes.AttributesWrite["channels"], at: string): ErrorDetail[] {
  if (channels === undefined) return [];
  const entries = Object.entries(channels);
  if (entries.length === 0) return [{ path: at, code: "required", message: "channels must not be empty if provided." }];
  return entries
    .filter(([, channel]) => Object.keys(channel).length === 0)
    .map(([name]) => ({
      path: `${at}/${pointerStep(name)}`,
      code: "required",
      message: "A channel must not be empty.",
    }));
}

/** True when a value nests deeper than `levels`; the value itself is level 1. Walks with a bounded stack of its own. */
export function deeperThan(value: object, levels: number): boolean {
  let layer: object[] = [value];
  for (let level = 1; layer.length > 0; level++) {
    if (level > levels) return true;
    const next: object[] = [];
    for (const container of layer) {
      for (const inner of Object.values(container)) if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    layer = next;
  }
  return false;
}

/** An account may keep no activities older than it says. */
export function oldestEventMs(settings: AccountSettings, nowMs: number): number {
  const days = settings.retention.activitiesDays;
  return days === undefined ? 0 : nowMs - days * 86_400_000;
}
