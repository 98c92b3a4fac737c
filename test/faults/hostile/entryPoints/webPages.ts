import type { TokenKind } from "@headwater/messaging/tracking/trackingToken";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import fc from "fast-check";
import { type EntryPoint, type EntryPointPorts, statusOf } from "./entryPoint.ts";
import { hostileText } from "./hostileText.ts";

const KIB = 1024;
/** Bytes of a request line and its headers that the listener takes, and some more. */
const HEAD_BYTES_MAX = 40 * KIB;
const SENDS_READ = 50;
const READ_EVERY = 20;

const paths: readonly (readonly [string, TokenKind])[] = [
  ["v", "view"],
  ["c", "click"],
  ["o", "open"],
  ["u", "unsubscribe"],
  ["u", "preferences"],
];
const texts = hostileText({
  bytesMax: HEAD_BYTES_MAX,
  units: ["A", "%41", "&a=b", "a[", "..%2f", "%", "-_", "=", ";", ","],
  pairs: [["a[", "]"]],
});

interface KnownSend {
  readonly message: string;
  readonly kind: "b" | "a" | "o" | "t";
  readonly contact: number;
  readonly cid: string;
  readonly n: number;
}

/**
 * Pages and links of messages, with tokens that are foreign, of sends that never were, and of those that the account made at other entry
 * points; each with hostile parameters, headers and forms.
 */
export function webEntryPoint({ apps, account, ground, settingsKey }: EntryPointPorts): EntryPoint {
  const tokens = createTrackingTokens([settingsKey]);
  const nobody: KnownSend = { message: "65f0c0ffee65f0c0ffee00aa", kind: "b", contact: 1, cid: "c", n: 1 };
  let sends: readonly KnownSend[] = [nobody];
  let attacks = 0;
  const readSends = async () => {
    const text = "SELECT message, kind, contact, cid, n FROM sends WHERE account = $1 LIMIT $2";
    sends = [
      nobody,
      ...(await ground.postgres.query<KnownSend & Record<string, unknown>>({ text }, [account.number, SENDS_READ])),
    ];
  };
  const sealed = (kind: TokenKind) => {
    const { message, kind: type, contact, cid: cID, n } = sends[attacks % sends.length] ?? nobody;
    const names = { accountId: account.id, cID, channel: "email", composedAt: 0 };
    const link = { place: 1, url: "https://example.com/" };
    const of = { account: account.number, contact, message, type, n, names };
    return tokens.seal({ kind, ...of, ...(kind === "click" && { link }) });
  };
  return {
    name: "web views and links",
    texts: fc
      .record({ text: texts, isToken: fc.boolean() })
      .map(({ text, isToken }) => `${isToken ? "t" : "p"}${text}`),
    async attack(input) {
      attacks += 1;
      if (attacks % READ_EVERY === 1) await readSends();
      const [path, kind] = paths[attacks % paths.length] ?? ["v", "view"];
      const text = input.slice(1);
      const isToken = input.startsWith("t");
      const base = `http://127.0.0.1:${apps.trackerPort}/t/${path}/`;
      const url = isToken ? base + encodeURIComponent(text) : `${base}${sealed(kind)}?a=${encodeURI(text)}`;
      const headers = { "user-agent": `Mozilla/5.0 ${text.slice(0, KIB)}`, "accept-language": text.slice(0, KIB) };
      if (path !== "u" || isToken) return statusOf(url, { headers, redirect: "manual" });
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      return statusOf(`${base}${sealed(kind)}`, {
        method: "POST",
        headers: form,
        body: `List-Unsubscribe=One-Click&${text}`,
      });
    },
  };
}
