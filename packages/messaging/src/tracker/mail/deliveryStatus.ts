import { asciiDomain } from "@headwater/contracts";
import { mailLimits } from "./mailLimits.ts";
import { parseFieldGroups, type ReportFields, withoutType } from "./reportFields.ts";

/** Fate of one recipient, as a report gives it. */
export interface DeliveryStatus {
  readonly action: "failed" | "delayed" | "other";
  /** Enhanced status code, `5.1.1`. */
  readonly status?: string | undefined;
  /** Words of the server that refused the mail. */
  readonly text?: string | undefined;
  /** Addresses under which the report names the recipient, as they are compared. */
  readonly addresses: readonly string[];
}

export const ALL_ENHANCED = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/g;
export const ENHANCED = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/;

/** Reads the body of a `message/delivery-status`. */
export function parseDeliveryStatus(body: string): DeliveryStatus[] {
  return parseFieldGroups(body)
    .filter((fields) => fields.has("final-recipient") || fields.has("original-recipient") || fields.has("action"))
    .slice(0, mailLimits.reported)
    .map(statusOf);
}

function statusOf(fields: ReportFields): DeliveryStatus {
  const [status] = ENHANCED.exec(fields.get("status") ?? "") ?? [];
  return {
    action: actionOf(fields.get("action"), status),
    status,
    text: withoutType(fields.get("diagnostic-code")) ?? fields.get("x-supplementary-info"),
    addresses: ["original-recipient", "final-recipient"].flatMap((name) => addressIn(withoutType(fields.get(name)))),
  };
}

/** Some systems leave the action out: then the code decides. */
function actionOf(action: string | undefined, status: string | undefined): DeliveryStatus["action"] {
  const [word] = /^[a-z]+/i.exec(action ?? "") ?? [];
  if (word === undefined) return status?.startsWith("5") ? "failed" : "other";
  const known = word.toLowerCase();
  return known === "failed" || known === "delayed" ? known : "other";
}

/** Returns an address in the one form in which two are compared: reports name domains by their names in DNS. */
export function comparableAddress(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at).replace(/\.$/, "");
  return `${address.slice(0, at).normalize("NFC")}${asciiDomain(domain)}`.toLowerCase();
}

/** Characters in which an address is searched for. */
const ADDRESS_WITHIN = 1_024;
const LOCAL_CHARACTERS_MAX = 320;
const DOMAIN_CHARACTERS_MAX = 255;

/** Returns the address in a text, without its brackets, as it is compared. */
export function addressIn(text: string | undefined): string[] {
  const [address] = addressesIn((text ?? "").slice(0, ADDRESS_WITHIN));
  return address === undefined ? [] : [comparableAddress(`${address.local}@${address.domain}`)];
}

export interface WrittenAddress {
  readonly local: string;
  readonly domain: string;
}

/** Returns what may be addresses in a text: words with an @ inside, up to the greatest lengths of both parts. */
export function addressesIn(text: string): WrittenAddress[] {
  return [...text.matchAll(/[^\s<>"(),;:]+/g)].flatMap(([word]) => {
    // The last @ with something behind it.
    const at = word.lastIndexOf("@", word.length - 2);
    if (at < 1) return [];
    const local = word.slice(Math.max(0, at - LOCAL_CHARACTERS_MAX), at);
    return [{ local, domain: word.slice(at + 1, at + 1 + DOMAIN_CHARACTERS_MAX) }];
  });
}
