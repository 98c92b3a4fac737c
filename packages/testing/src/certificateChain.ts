import { generate } from "selfsigned";
import type { TestCertificate } from "./certificate.ts";

type SelfsignedOptions = NonNullable<Parameters<typeof generate>[1]>;

export interface LeafWanted {
  /** Host names that the certificate is for; default `localhost` and 127.0.0.1. */
  readonly hosts?: readonly string[];
  /** It ended yesterday. */
  readonly isExpired?: boolean;
  /** The server presents its own certificate alone: nobody finds the way to the root. */
  readonly withoutIntermediate?: boolean;
}

/** A root that clients trust, and an intermediate authority that it signed: servers present their certificates as public ones do. */
export interface TestChain {
  /** PEM of the root. */
  readonly root: string;
  /** Issues a certificate; `cert` holds the intermediate's, too, as servers present it. */
  issue(wanted?: LeafWanted): Promise<TestCertificate>;
}

const DAY_MS = 86_400_000;
const AUTHORITY = { name: "basicConstraints", cA: true, critical: true } as const;

export async function createTestChain(): Promise<TestChain> {
  const root = await certify("test root", [AUTHORITY]);
  const between = await certify("test intermediate", [AUTHORITY], { ca: root });
  return {
    root: root.cert,
    async issue({ hosts = ["localhost", "127.0.0.1"], isExpired = false, withoutIntermediate = false } = {}) {
      const altNames = hosts.map((host) =>
        /^[\d.]+$/.test(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
      );
      const ended = { notBeforeDate: daysFromNow(-3), notAfterDate: daysFromNow(-1) };
      const leaf = await certify(hosts[0] ?? "nobody", [{ name: "subjectAltName", altNames }], {
        ca: between,
        ...(isExpired && ended),
      });
      return { key: leaf.key, cert: withoutIntermediate ? leaf.cert : `${leaf.cert}\n${between.cert}` };
    },
  };
}

async function certify(
  commonName: string,
  extensions: NonNullable<SelfsignedOptions["extensions"]>,
  more: Partial<SelfsignedOptions> = {},
): Promise<TestCertificate> {
  const created = await generate([{ name: "commonName", value: commonName }], {
    ...{ keyType: "ec", algorithm: "sha256", notBeforeDate: daysFromNow(-1), notAfterDate: daysFromNow(1) },
    extensions,
    ...more,
  });
  return { key: created.private, cert: created.cert };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}
