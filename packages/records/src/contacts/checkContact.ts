import type { AccountSettings, ErrorDetail, shapes } from "@headwater/contracts";
import { DETAILS_FOUND_MAX, pointerStep } from "@headwater/kernel";
import { checkChosenNames } from "../fold/chosenNames.ts";

type ContactWrite = shapes.ContactWrite;

/** Rules of validation for a Contact that its shape cannot say. `at` is the pointer to it. */
export function checkContact(contact: ContactWrite, at: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (contact.attributes === undefined) {
    for (const flag of ["canBeCreated", "canBeUpdated"] as const) {
      if (contact[flag] !== true) continue;
      details.push({ path: `${at}/attributes`, code: "required", message: `\`${flag}\` requires \`attributes\`.` });
    }
    return details;
  }
  return [...details, ...checkAttributes(contact.attributes, `${at}/attributes`)];
}

function checkAttributes(attributes: shapes.AttributesWrite, at: string): ErrorDetail[] {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return [{ path: at, code: "required", message: "At least one attribute must be present." }];
  const details = [...checkChosenNames(entries, at), ...checkChannels(attributes.channels, `${at}/channels`)];
  for (const [name, value] of entries) {
    const wrong = details.length < DETAILS_FOUND_MAX ? wrongAttribute(name, value, at) : undefined;
    if (wrong !== undefined) details.push(wrong);
  }
  return details;
}

/** An attribute without a name could not be managed, and an edit of an array that is none would replace the array. */
function wrongAttribute(name: string, value: unknown, at: string): ErrorDetail | undefined {
  if (name === "") return { path: `${at}/`, code: "required", message: "The name of an attribute must not be empty." };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const edit = Object.entries(value);
  if (edit.length === 0 || edit.some(([member]) => member !== "add" && member !== "remove")) return undefined;
  const [wrong] = edit.find(([, items]) => !Array.isArray(items)) ?? [];
  if (wrong === undefined) return undefined;
  const path = `${at}/${pointerStep(name)}/${wrong}`;
  return { path, code: "type_mismatch", message: `\`${wrong}\` of an array's edit must be an array.` };
}

function checkChannels(channels: shapes.AttributesWrite["channels"], at: string): ErrorDetail[] {
  if (channels === undefined) return [];
  const entries = Object.entries(channels);
  if (entries.length === 0) return [{ path: at, code: "required", message: "channels must not be empty if provided." }];
  const details: ErrorDetail[] = [];
  for (const [name, channel] of entries) {
    const path = `${at}/${pointerStep(name)}`;
    if (Object.keys(channel).length === 0) {
      details.push({ path, code: "required", message: "A channel must not be empty." });
    } else if (channel.address?.trim() === "") {
      details.push({ path: `${path}/address`, code: "required", message: "`address` must not be empty." });
    }
  }
  return details;
}

/** An account may keep no activities older than it says. */
export function oldestEventMs(settings: AccountSettings, nowMs: number): number {
  const { activities, activitiesDays } = settings.retention;
  const days = activities ?? activitiesDays;
  return days === undefined ? 0 : nowMs - days * 86_400_000;
}
