import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { HeadwaterError, type Logger, type Metrics } from "@headwater/kernel";

/** Files of the private key and of the certificate with its chain, as PEM. They are read again when they change. */
export interface TlsFiles {
  readonly keyFile: string;
  readonly certFile: string;
  /** Interval at which the files are checked; default 1 s. */
  readonly checkEveryMs?: number;
}

export interface Certificate {
  /** Options that a server begins with. */
  readonly options: SecureContextOptions;
  /** Gives the server each new certificate; connections that are open go on with theirs. */
  follow(server: SecureServer): void;
  stop(): void;
}

/** Part of a TLS server that is used here. */
interface SecureServer {
  setSecureContext(options: SecureContextOptions): void;
}

interface Pair {
  readonly key: Buffer;
  readonly cert: Buffer;
}

const CHECK_EVERY_MS = 1_000;
/** TLS 1.0 and 1.1 are broken (RFC 8996), whatever Node's command line allows. */
const VERSIONS = { minVersion: "TLSv1.2", maxVersion: "TLSv1.3" } as const;

/**
 * A certificate out of files. A new one is taken when both files were found the same twice running and fit each other: a file that
 * is still being written, or the first of the two to come, leaves the old one in use, and the log says so.
 * @throws HeadwaterError `CONFIG_INVALID` when the files cannot be used at the start.
 */
export function createCertificate(files: TlsFiles, logger: Logger, metrics: Metrics): Certificate {
  const first = startWith(files);
  const reports = createReports(logger, metrics);
  reports.inUse(endOf(first));
  let current = first;
  let seen = first;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function check(server: SecureServer): Promise<void> {
    const found = await read(files);
    const isResolved = isSame(found, seen);
    seen = found;
    if (isSame(found, current)) {
      reports.inUse(endOf(current));
    } else if (isResolved) {
      refuseMisfit(found);
      server.setSecureContext({ ...found, ...VERSIONS });
      current = found;
      reports.changed(endOf(found));
    }
  }

  return {
    options: { ...first, ...VERSIONS },
    follow(server) {
      timer = setInterval(() => {
        if (isLooking) return;
        isLooking = true;
        check(server)
          .catch(reports.unusable)
          .finally(() => {
            isLooking = false;
          });
      }, files.checkEveryMs ?? CHECK_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** Reports to operators, each thing once. */
function createReports(logger: Logger, metrics: Metrics) {
  const expires = metrics.gauge({
    name: "headwater_tls_certificate_expires_seconds",
    help: "Expiry of the certificate in use, in seconds since 1970.",
  });
  const stale = metrics.gauge({
    name: "headwater_tls_certificate_stale",
    help: "1 while the certificate files are invalid and the previous certificate stays in use.",
  });
  let isStale = false;
  const inUse = (endMs: number) => {
    expires.set(endMs / 1_000);
    stale.set(0);
    isStale = false;
  };
  return {
    inUse,
    changed(endMs: number) {
      inUse(endMs);
      logger.info({ expires: new Date(endMs).toISOString() }, "certificate reloaded");
    },
    unusable(error: unknown) {
      if (!isStale) logger.error({ err: error }, "certificate reload failed; keeping the previous certificate");
      stale.set(1);
      isStale = true;
    },
  };
}

function startWith({ keyFile, certFile }: TlsFiles): Pair {
  try {
    const pair = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
    refuseMisfit(pair);
    return pair;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HeadwaterError({
      code: "CONFIG_INVALID",
      status: 500,
      publicMessage: `The certificate of HEADWATER_TLS_CERT_FILE and HEADWATER_TLS_KEY_FILE is invalid: ${why}`,
      cause,
    });
  }
}

async function read({ keyFile, certFile }: TlsFiles): Promise<Pair> {
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certFile)]);
  return { key, cert };
}

/** @throws when one of the two is no PEM, is cut off, or is not the other's. */
function refuseMisfit({ key, cert }: Pair): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error("the private key does not match the certificate");
  }
  createSecureContext({ key, cert, ...VERSIONS });
}

/** Milliseconds since 1970. */
function endOf({ cert }: Pair): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

function isSame(one: Pair, other: Pair): boolean {
  return one.key.equals(other.key) && one.cert.equals(other.cert);
}
