import { generate } from "selfsigned";

export interface TestCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM. Clients trust it as its own authority. */
  readonly cert: string;
}

type SelfsignedOptions = NonNullable<Parameters<typeof generate>[1]>;

const DAY_MS = 86_400_000;

/** Makes a certificate of its own for `localhost` and 127.0.0.1, valid for a day. */
export async function createTestCertificate(commonName = "localhost"): Promise<TestCertificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: commonName }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + DAY_MS),
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { key, cert };
}

/** Signs certificates that clients and servers trust by the authority's own. */
export interface TestAuthority {
  /** PEM. */
  readonly cert: string;
  /** Issues a certificate for one host name, or for a client of that name. */
  issue(commonName: string): Promise<TestCertificate>;
}

export async function createTestAuthority(name = "test authority"): Promise<TestAuthority> {
  const options = optionsOf([{ name: "basicConstraints", cA: true, critical: true }]);
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], options);
  return {
    cert,
    async issue(commonName) {
      const named = optionsOf([{ name: "subjectAltName", altNames: [{ type: 2, value: commonName }] }]);
      const issued = await generate([{ name: "commonName", value: commonName }], { ...named, ca: { key, cert } });
      return { key: issued.private, cert: issued.cert };
    },
  };
}

function optionsOf(extensions: NonNullable<SelfsignedOptions["extensions"]>): SelfsignedOptions {
  const validity = { notBeforeDate: new Date(Date.now() - DAY_MS), notAfterDate: new Date(Date.now() + DAY_MS) };
  return { keyType: "ec", algorithm: "sha256", ...validity, extensions };
}
