import type { AccountSettings } from "@headwater/contracts";

type Keywords = AccountSettings["messaging"]["smsKeywords"];

/** Meaning of the first word of a message that a person wrote; undefined for a letter to somebody. */
export function keywordOf(text: string, { stop, start, help }: Keywords): "stop" | "start" | "help" | undefined {
  const [word = ""] = /[\p{L}\p{N}_-]+/u.exec(text.slice(0, 200)) ?? [];
  const upper = word.toUpperCase();
  if (stop.includes(upper)) return "stop";
  if (start.includes(upper)) return "start";
  return help.includes(upper) ? "help" : undefined;
}
