import { isbot } from "isbot";

/** Reasons for which an event is not of a person. */
export const robotReasons = ["agent", "head", "prefetch", "privacy-proxy", "many-links", "hidden-link"] as const;
export type RobotReason = (typeof robotReasons)[number];

/** A request, as far as it shows who makes it. */
export interface Visit {
  readonly method: string;
  readonly atMs: number;
  header(name: string): string | undefined;
}

/** Proxies through which mailboxes fetch pictures: for persons when a mail is opened, and some of them already when it arrives. */
const PRIVACY_PROXY = /GoogleImageProxy|YahooMailProxy|^Mozilla\/5\.0$/;
/** Seconds after the hand-over in which a proxy fetches what nobody has asked for. */
const DELIVERY_SECONDS = 10;

/** Returns why a visit is a machine's; undefined for a person's. @param composedAt seconds since 1970 at which the message was composed. */
export function robotOf({ method, atMs, header }: Visit, composedAt: number): RobotReason | undefined {
  if (method === "HEAD") return "head";
  const purpose = `${header("sec-purpose") ?? ""} ${header("purpose") ?? ""} ${header("x-moz") ?? ""}`;
  if (/prefetch|preview/i.test(purpose)) return "prefetch";
  const agent = (header("user-agent") ?? "").slice(0, AGENT_CHARACTERS);
  if (PRIVACY_PROXY.test(agent)) {
    return atMs / 1_000 - composedAt < DELIVERY_SECONDS ? "privacy-proxy" : undefined;
  }
  return isbot(agent) ? "agent" : undefined;
}

const AGENT_CHARACTERS = 512;
