import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { connect as secure } from "node:tls";
import { storedTransports, transportSecretContext } from "@headwater/contracts";
import { HeadwaterError, OUTBOUND_REFUSED, type Outbound, privateAddressRefused, type Sealer } from "@headwater/kernel";
import type { DkimKey } from "../compose/dkim.ts";
import type { TransportToUse } from "../handover/createHandover.ts";
import { defined } from "../handover/defined.ts";
import { dmarcCheck } from "./dns/dmarcCheck.ts";
import { spfCheck } from "./dns/spfCheck.ts";
import { createTxtLookups, type ResolveTxt, type TxtLookups, tagsOf } from "./dns/txtLookups.ts";
import { smtpChecks } from "./smtpChecks.ts";
import { failed, passed, type TransportCheck } from "./transportCheck.ts";

/** DER of a public Ed25519 key before its 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

const KEY_BYTES = 32;

const STEP_MS = 8_000;

const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

export interface TransportCheckPorts {
  readonly outbound: Pick<Outbound, "connect">;
  /** Absent: the installation keeps no secrets. */
  readonly sealer: Pick<Sealer, "open"> | undefined;
  readonly resolveTxt: ResolveTxt;
  /** PEM of an authority to trust, instead of the system's. */
  readonly authority?: string;
  /** Longest time of all look-ups together; default 15 s. */
  readonly dnsMs?: number;
}

/** Domains of `fromDomains` that are checked: the first ones. */
const DOMAINS_MAX = 50;
const DNS_MS = 15_000;

type SmtpSettings = ReturnType<typeof storedTransports.smtp.parse>;
type StoredTransport = Pick<TransportToUse, "id" | "type" | "settings" | "accountId">;

/**
 * Checks whether a transport can send: connection, TLS and login, and what DNS says of its domains. Sends nothing, ends in bounded time,
 * and never throws: what goes wrong is a check that has failed.
 */
export async function checkTransport(
  transport: StoredTransport,
  ports: TransportCheckPorts,
): Promise<TransportCheck[]> {
  const settings: unknown = JSON.parse(transport.settings);
  switch (transport.type) {
    case "log":
      return [passed("connection", "It writes to the process log.")];
    case "http":
      return httpChecks(storedTransports.http.parse(settings).url, ports);
    case "smtp": {
      const smtp = storedTransports.smtp.parse(settings);
      const checks = await Promise.all([serverChecks(transport, smtp, ports), domainChecks(transport, smtp, ports)]);
      return checks.flat();
    }
  }
}

async function serverChecks(
  transport: StoredTransport,
  { host, port, tls, username, password }: SmtpSettings,
  ports: TransportCheckPorts,
): Promise<TransportCheck[]> {
  const opened = password && openSecret(transport, password.sealed, "password", ports);
  const checks = await smtpChecks({ host, ...defined({ port, tls, username, password: opened }) }, ports);
  if (password === undefined || opened !== undefined) return checks;
  const unread = failed("login", "The stored password cannot be opened with the keys of this installation.");
  return checks.map((check) => (check.name === "login" ? unread : check));
}

async function domainChecks(
  transport: StoredTransport,
  { fromDomains, dkim = [], returnPath }: SmtpSettings,
  ports: TransportCheckPorts,
): Promise<TransportCheck[]> {
  const dns = createTxtLookups(ports.resolveTxt, AbortSignal.timeout(ports.dnsMs ?? DNS_MS));
  const signing = await Promise.all(
    dkim.map(async ({ domain, selector, privateKey }) => {
      const opened = openSecret(transport, privateKey.sealed, `dkim/${domain}/${selector}`, ports);
      return { domain, check: await keyCheck({ domain, selector }, opened, dns) };
    }),
  );
  const domains = [...new Set(fromDomains ?? dkim.map(({ domain }) => domain))].slice(0, DOMAINS_MAX);
  const path = returnPath?.slice(returnPath.lastIndexOf("@") + 1).toLowerCase();
  const spf = await Promise.all(
    (path === undefined ? domains : [path]).map(async (domain) => ({ domain, check: await spfCheck(domain, dns) })),
  );
  const dmarc = await Promise.all(
    domains.map((from) => {
      // A key signs mail of its domain and of those below it.
      const signs = signing.filter(({ domain, check }) => check.ok && (from === domain || from.endsWith(`.${domain}`)));
      const proven = spf.find(({ domain, check }) => check.ok && domain === (path ?? from))?.domain;
      return dmarcCheck(from, { dkim: signs.map(({ domain }) => domain), spf: proven }, dns);
    }),
  );
  return [
    ...(dkim.length === 0 ? [failed("dkim", "The transport has no DKIM key.")] : signing.map(({ check }) => check)),
    ...(spf.length === 0 ? [unnamed("spf")] : spf.map(({ check }) => check)),
    ...(domains.length === 0 ? [unnamed("dmarc")] : dmarc),
  ];
}

function unnamed(name: "spf" | "dmarc"): TransportCheck {
  return failed(name, "Neither `fromDomains` nor `dkim` names a domain that it sends from.");
}

function keyCheck(
  { domain, selector }: Omit<DkimKey, "privateKey">,
  privateKey: string | undefined,
  dns: TxtLookups,
): Promise<TransportCheck> {
  if (privateKey !== undefined) return dkimCheck({ domain, selector, privateKey: createPrivateKey(privateKey) }, dns);
  const why = `The stored key of ${selector}._domainkey.${domain} cannot be opened with the keys of this installation.`;
  return Promise.resolve(failed("dkim", why));
}

/** Returns undefined for a secret that no key opens. */
function openSecret(
  { accountId, id }: StoredTransport,
  sealed: string,
  position: string,
  { sealer }: TransportCheckPorts,
): string | undefined {
  try {
    return sealer?.open(sealed, transportSecretContext(accountId, id, position));
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === "CONFIG_INVALID") return undefined;
    throw error;
  }
}

interface HttpCheckPorts {
  readonly outbound: Pick<Outbound, "connect">;
  /** PEM of an authority to trust, instead of the system's. */
  readonly authority?: string;
}

/** Connects to a service and encrypts the connection. No request is made: whatever it is, the service might act on it. */
async function httpChecks(url: string, { outbound, authority }: HttpCheckPorts): Promise<TransportCheck[]> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const signal = AbortSignal.timeout(STEP_MS);
  let socket: Socket;
  try {
    socket = await outbound.connect({ host, port: port === "" ? (PORTS[protocol] ?? 443) : Number(port) }, signal);
  } catch (error) {
    const isRefused = error instanceof Error && Reflect.get(error, "code") === OUTBOUND_REFUSED;
    const why = isRefused ? privateAddressRefused.transport : "The service cannot be reached.";
    return [failed("connection", why), failed("tls", "Not tried without a connection.")];
  }
  const reached = passed("connection", "The service can be reached.");
  if (protocol === "http:") {
    socket.destroy();
    return [reached, passed("tls", "The connection is not encrypted; none is asked for.")];
  }
  return [reached, await tlsOver(socket, { host, authority, signal })];
}

interface TlsTarget {
  readonly host: string;
  readonly authority: string | undefined;
  readonly signal: AbortSignal;
}

async function tlsOver(socket: Socket, { host, authority, signal }: TlsTarget): Promise<TransportCheck> {
  const isName = !/^[\d.]+$|:/.test(host);
  const encrypted = secure({
    ...{ socket, host },
    ...(isName && { servername: host }),
    ...(authority !== undefined && { ca: authority }),
  });
  try {
    await once(encrypted, "secureConnect", { signal });
    return passed("tls", "The connection is encrypted.");
  } catch {
    return failed("tls", "The connection cannot be encrypted with a certificate that is trusted.");
  } finally {
    encrypted.on("error", () => undefined).destroy();
    socket.destroy();
  }
}

/** Compares a key that signs with the one that DNS gives to receivers (RFC 6376, 3.6). */
async function dkimCheck({ domain, selector, privateKey }: DkimKey, dns: TxtLookups): Promise<TransportCheck> {
  const name = `${selector}._domainkey.${domain}`;
  const records = await dns.records(name);
  if (records === undefined) return failed("dkim", `DNS did not answer for ${name}.`);
  const keys = records.map(tagsOf).filter((tags) => tags.has("p") && (tags.get("v") ?? "DKIM1") === "DKIM1");
  const [tags] = keys;
  if (tags === undefined) return failed("dkim", `${name} has no DKIM key.`);
  if (keys.length > 1) return failed("dkim", `${name} has ${keys.length} DKIM keys; there must be one.`);
  const problem = problemOf(tags, createPublicKey(privateKey));
  return problem === undefined
    ? passed("dkim", `${name} has the key that signs.`)
    : failed("dkim", `${name} ${problem}`);
}

function problemOf(tags: ReadonlyMap<string, string>, own: KeyObject): string | undefined {
  const type = own.asymmetricKeyType ?? "";
  const publishedType = (tags.get("k") ?? "rsa").toLowerCase();
  const published = (tags.get("p") ?? "").replaceAll(/\s+/g, "");
  if (published === "") return "was revoked: its `p` is empty.";
  if (publishedType !== type) return `says \`k=${publishedType.slice(0, 20)}\`, and the key that signs is ${type}.`;
  const hashes = tags.get("h")?.toLowerCase().split(":");
  if (hashes?.every((hash) => hash.trim() !== "sha256")) return "does not allow sha256.";
  const key = type === "ed25519" ? ed25519(published) : rsa(published);
  if (key === undefined) return "holds no readable key.";
  return key.equals(own) ? undefined : "has another key than the one that signs.";
}

function ed25519(published: string): KeyObject | undefined {
  const bytes = Buffer.from(published, "base64");
  return bytes.length === KEY_BYTES ? readKey(Buffer.concat([ED25519_PREFIX, bytes]), "spki") : undefined;
}

/** Most publish SubjectPublicKeyInfo, as openssl writes it; some the RSA key alone. */
function rsa(published: string): KeyObject | undefined {
  const der = Buffer.from(published, "base64");
  return readKey(der, "spki") ?? readKey(der, "pkcs1");
}

function readKey(key: Buffer, type: "spki" | "pkcs1"): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "der", type });
  } catch {
    return undefined;
  }
}
