import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { createOutbound, createSealer } from "@headwater/kernel";
import { createTestCertificate, startSmtpServer, type TestCertificate, type TestSmtpServer } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkTransport } from "./checkTransport.ts";
import type { ResolveTxt } from "./dns/txtLookups.ts";

const outbound = createOutbound({ allow: ["127.0.0.1"] });
const sealer = createSealer([Buffer.alloc(32, 1)]);
const PASSWORD = "not a secret";
const pem = {
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "der" },
} as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048, ...pem });
const other = generateKeyPairSync("rsa", { modulusLength: 2_048, ...pem });
const edwards = generateKeyPairSync("ed25519", pem);
let certificate: TestCertificate;
let withTls: TestSmtpServer;
let plain: TestSmtpServer;
let silent: Server;
beforeAll(async () => {
  certificate = await createTestCertificate();
  withTls = await startSmtpServer({ certificate, password: PASSWORD });
  plain = await startSmtpServer({ password: PASSWORD });
  silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
});
afterAll(async () => {
  await Promise.all([withTls.stop(), plain.stop(), outbound.close()]);
  silent.close();
});

const seal = (text: string, position: string) => ({
  sealed: sealer.seal(text, `a/transport/t/${position}`),
  last4: text.slice(-4),
});
const resolver =
  (zone: Readonly<Record<string, readonly string[]>>): ResolveTxt =>
  async (name) =>
    zone[name] ?? [];
const nothing = resolver({});

interface Checking {
  readonly type?: "smtp" | "http" | "log";
  readonly resolveTxt?: ResolveTxt;
  readonly isTrusted?: boolean;
  readonly dnsMs?: number;
  readonly sealer?: undefined;
}

async function check(
  settings: object,
  { type = "smtp", resolveTxt = nothing, isTrusted, dnsMs, ...more }: Checking = {},
) {
  const transport = { id: "t", type, accountId: "a", settings: JSON.stringify(settings) };
  const ports = {
    outbound,
    sealer,
    resolveTxt,
    ...(isTrusted && { authority: certificate.cert }),
    ...(dnsMs !== undefined && { dnsMs }),
    ...more,
  };
  return checkTransport(transport, ports);
}
/** Names with a sign, `+` for what is well. */
const signs = async (checked: ReturnType<typeof check>) =>
  (await checked).map(({ name, ok }) => `${ok ? "+" : "-"}${name}`);
const server = async (...input: Parameters<typeof check>) => (await signs(check(...input))).slice(0, 3).join(" ");
const words = async (checked: ReturnType<typeof check>, name: string) =>
  (await checked)
    .filter((one) => one.name === name)
    .map(({ message }) => message)
    .join(" ");
const login = { username: "u", password: seal(PASSWORD, "password") };
const at = (port: number) => ({ host: "127.0.0.1", port });

describe("the server of a transport", () => {
  test("is signed in to as a send would, and nothing is sent", async () => {
    expect(await server({ ...at(withTls.port), ...login }, { isTrusted: true })).toBe("+connection +tls +login");
    expect(await server({ ...at(plain.port), ...login, tls: "none" })).toBe("+connection +tls +login");
    expect(await server({ ...at(plain.port) })).toBe("+connection +tls +login");
    expect([await withTls.taken(), await plain.taken()]).toEqual([[], []]);
  });

  test("is found to have a certificate that nobody vouches for, or no TLS at all, where it is required", async () => {
    expect(await server({ ...at(withTls.port), ...login })).toBe("+connection -tls -login");
    expect(await server({ ...at(plain.port), ...login })).toBe("+connection -tls -login");
    expect(await server({ ...at(withTls.port), ...login, tls: "opportunistic" })).toBe("+connection +tls +login");
  });

  test("is reported to refuse the login, in its own words and without the password", async () => {
    const wrong = { ...at(withTls.port), username: "u", password: seal("something else", "password") };
    const checked = check(wrong, { isTrusted: true });
    expect((await signs(checked)).slice(0, 3)).toEqual(["+connection", "+tls", "-login"]);
    expect(await words(checked, "login")).toMatch(/^The server refuses the login: 535 /);
    expect(JSON.stringify(await checked)).not.toContain("something else");
    expect(await server({ ...at(plain.port), tls: "none", username: "u" })).toBe("+connection +tls -login");
  });

  test("is reported not to answer, in bounded time: nobody there, a private address, silence, a secret that cannot be read", async () => {
    expect(await server({ host: "127.0.0.1", port: 1 })).toBe("-connection -tls +login");
    expect(await words(check({ host: "10.0.0.1" }), "connection")).toMatch(
      /private address.*HEADWATER_PRIVATE_TRANSPORTS/,
    );
    const sealed = {
      ...at(plain.port),
      tls: "none",
      username: "u",
      password: { sealed: "v1.00000000.xx", last4: "xxxx" },
    };
    expect(await words(check(sealed), "login")).toMatch(/cannot be opened/);
    expect(await words(check({ ...at(plain.port), ...login, tls: "none" }, { sealer: undefined }), "login")).toMatch(
      /cannot be opened/,
    );
  });
});

describe("the service of an HTTP transport", () => {
  test("is connected to, and asked for nothing", async () => {
    const port = withTls.port;
    expect(await signs(check({ url: `http://127.0.0.1:${port}/send` }, { type: "http" }))).toEqual([
      "+connection",
      "+tls",
    ]);
    expect(await signs(check({ url: `https://127.0.0.1:${port}/send` }, { type: "http" }))).toEqual([
      "+connection",
      "-tls",
    ]);
    expect(await signs(check({ url: "https://127.0.0.1:1/send" }, { type: "http" }))).toEqual(["-connection", "-tls"]);
    expect(await words(check({ url: "http://[::1]:80/" }, { type: "http" }), "connection")).toMatch(
      /may not reach.*HEADWATER_PRIVATE_TRANSPORTS/,
    );
    expect(await signs(check({}, { type: "log" }))).toEqual(["+connection"]);
  });
});

describe("what DNS says", () => {
  const spki = (key: Buffer) => key.toString("base64");
  const dkim = [
    { domain: "example.com", selector: "r1", privateKey: seal(rsa.privateKey, "dkim/example.com/r1") },
    { domain: "example.com", selector: "e1", privateKey: seal(edwards.privateKey, "dkim/example.com/e1") },
  ];
  const good = {
    "r1._domainkey.example.com": [`v=DKIM1; k=rsa; p=${spki(rsa.publicKey)}`],
    "e1._domainkey.example.com": [`v=DKIM1; k=ed25519; p=${edwards.publicKey.subarray(-32).toString("base64")}`],
    "example.com": ["google-site-verification=x", "v=spf1 include:mail.example.net -all"],
    "mail.example.net": ["v=spf1 ip4:192.0.2.0/24 ~all"],
    "_dmarc.example.com": ["v=DMARC1; p=reject"],
  };
  const settings = (more: object = {}) => ({
    ...at(plain.port),
    tls: "none",
    fromDomains: ["example.com"],
    dkim,
    ...more,
  });
  const dns = async (zone: Readonly<Record<string, readonly string[]>>, more: object = {}) =>
    (await signs(check(settings(more), { resolveTxt: resolver(zone) }))).slice(3).join(" ");
  const checked = (name: string, zone: Readonly<Record<string, readonly string[]>>, more: object = {}) =>
    words(check(settings(more), { resolveTxt: resolver(zone) }), name);

  test("records that fit are well", async () => {
    expect(await dns(good)).toBe("+dkim +dkim +spf +dmarc");
    expect(await dns({ ...good, "_dmarc.example.com": [], "_dmarc.com": ["v=DMARC1; p=none"] })).toBe(
      "+dkim +dkim +spf -dmarc",
    );
  });

  test.each([
    ["no record", [], /has no DKIM key/],
    ["another key", [`v=DKIM1; p=${spki(other.publicKey)}`], /another key/],
    ["a revoked key", ["v=DKIM1; p="], /revoked/],
    ["another type", [`v=DKIM1; k=ed25519; p=${spki(rsa.publicKey)}`], /k=ed25519/],
    ["another hash", [`v=DKIM1; h=sha1; p=${spki(rsa.publicKey)}`], /sha256/],
    ["no key", ["v=DKIM1; p=AAAA"], /readable/],
    ["two keys", [`p=${spki(rsa.publicKey)}`, `p=${spki(other.publicKey)}`], /must be one/],
  ])("a key that signs is found to have %s in DNS", async (_what, records, message) => {
    expect(await checked("dkim", { ...good, "r1._domainkey.example.com": records })).toMatch(message);
  });

  test.each([
    ["none", [], /no SPF record/],
    ["two", ["v=spf1 -all", "v=spf1 mx -all"], /must be one/],
    ["one for everybody", ["v=spf1 +all"], /everybody/],
    ["a mistake", ["v=spf1 includes:x.example -all"], /mistake/],
    ["an included domain without one", ["v=spf1 include:away.example -all"], /includes has none/],
    ["more than ten look-ups", [`v=spf1 ${"a ".repeat(11)}-all`], /more than 10/],
    ["a circle", ["v=spf1 include:example.com -all"], /more than 10/],
  ])("a domain is found to have %s of the SPF records that there must be", async (_what, records, message) => {
    expect(await checked("spf", { ...good, "example.com": records })).toMatch(message);
  });

  test("an SPF record with ten look-ups is at the bound", async () => {
    expect(await dns({ ...good, "example.com": [`v=spf1 ${"a ".repeat(10)}-all`] })).toBe("+dkim +dkim +spf +dmarc");
  });

  test("alignment is known by the records: of the return path, of a domain above, and of nothing else", async () => {
    const path = { returnPath: "b+{token}@bounce.example.com", dkim: [] };
    const zone = { ...good, "bounce.example.com": ["v=spf1 mx -all"] };
    expect(await dns(zone, path)).toBe("-dkim +spf +dmarc");
    expect(await dns({ ...zone, "_dmarc.example.com": ["v=DMARC1; p=none; aspf=s"] }, path)).toBe("-dkim +spf -dmarc");
    expect(await dns({ ...zone, "bounce.example.com": [] }, path)).toBe("-dkim -spf -dmarc");
    const foreign = { returnPath: "b+{token}@mail.example.net", dkim: [] };
    expect(await dns(zone, foreign)).toBe("-dkim +spf -dmarc");
    const below = { fromDomains: ["news.example.com"] };
    expect(await dns({ ...good, "news.example.com": ["v=spf1 mx -all"] }, below)).toBe("+dkim +dkim +spf +dmarc");
    expect(await checked("dmarc", good, below)).toMatch(/signature of example.com is aligned with news.example.com/);
    expect(await checked("dmarc", { ...good, "_dmarc.example.com": ["v=DMARC1; p=maybe"] })).toMatch(/valid `p`/);
    expect(await dns(good, { fromDomains: undefined, dkim: undefined })).toBe("-dkim -spf -dmarc");
  });

  test("silence of DNS is reported, in bounded time", async () => {
    const never = () => new Promise<never>(() => undefined);
    const away = async () => undefined;
    expect((await signs(check(settings(), { resolveTxt: never, dnsMs: 10 }))).slice(3).join(" ")).toBe(
      "-dkim -dkim -spf -dmarc",
    );
    expect(await words(check(settings(), { resolveTxt: away }), "spf")).toMatch(/DNS did not answer/);
  });
});
