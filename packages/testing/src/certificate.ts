import { generate } from "selfsigned";

export interface TestCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM. Who trusts it names it as its own authority. */
  readonly cert: string;
}

const DAY_MS = 86_400_000;

/** A certificate of its own for `localhost` and 127.0.0.1, valid for a day. */
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
