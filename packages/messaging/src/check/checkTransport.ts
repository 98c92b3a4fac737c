import { createPrivateKey } from "node:crypto";
import { storedTransports, transportSecretContext } from "@headwater/contracts";
import { HeadwaterError, type Outbound, type Sealer } from "@headwater/kernel";
import type { DkimKey } from "../compose/dkim.ts";
import type { TransportToUse } from "../handover/createHandover.ts";
import { defined } from "../handover/defined.ts";
import { dkimCheck } from "./dns/dkimCheck.ts";
import { dmarcCheck } from "./dns/dmarcCheck.ts";
import { spfCheck } from "./dns/spfCheck.ts";
import { createTxtLookups, type ResolveTxt, type TxtLookups } from "./dns/txtLookups.ts";
import { httpChecks } from "./httpChecks.ts";
import { smtpChecks } from "./smtpChecks.ts";
import { failed, passed, type TransportCheck } from "./transportCheck.ts";

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

/** Domains of `fromDomains` that are looked at: the first ones. */
const DOMAINS_MAX = 50;
const DNS_MS = 15_000;

type SmtpSettings = ReturnType<typeof storedTransports.smtp.parse>;
type StoredTransport = Pick<TransportToUse, "id" | "type" | "settings" | "accountId">;

/**
 * Looks whether a transport can send: connection, TLS and login, and what DNS says of its domains. Sends nothing, ends in bounded time,
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
  place: string,
  { sealer }: TransportCheckPorts,
): string | undefined {
  try {
    return sealer?.open(sealed, transportSecretContext(accountId, id, place));
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === "CONFIG_INVALID") return undefined;
    throw error;
  }
}
