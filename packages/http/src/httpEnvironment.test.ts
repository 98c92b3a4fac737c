import { loadConfig } from "@headwater/kernel";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkHttpEnvironment, httpEnvironment, httpOptionsOf } from "./httpEnvironment.ts";

const schema = z.object(httpEnvironment).superRefine(checkHttpEnvironment);
const ports = { HEADWATER_PORT: "8420", HEADWATER_OPERATIONS_PORT: "8424" };
const read = (env: Record<string, string>) => httpOptionsOf(loadConfig(schema, { ...ports, ...env }));

describe("how a process is reached", () => {
  it("is by HTTPS alone when nothing is said, and its health and metrics are on the loopback", () => {
    expect(read({})).toEqual({ plainHttp: "refuse", trustedProxies: [] });
    expect(loadConfig(schema, ports)).toMatchObject({ HEADWATER_OPERATIONS_HOST: "127.0.0.1" });
  });

  it("is by a certificate out of two files", () => {
    const files = { HEADWATER_TLS_KEY_FILE: "key.pem", HEADWATER_TLS_CERT_FILE: "cert.pem" };
    expect(read(files).tls).toEqual({ keyFile: "key.pem", certFile: "cert.pem" });
  });

  it("is through proxies of a list of addresses and ranges", () => {
    const proxies = { HEADWATER_ALLOW_PLAIN_HTTP: "trusted-proxy", HEADWATER_TRUSTED_PROXIES: "10.0.0.0/8, ::1" };
    expect(read(proxies)).toEqual({ plainHttp: "trusted-proxy", trustedProxies: ["10.0.0.0/8", "::1"] });
  });

  it.each([
    [{ HEADWATER_TLS_KEY_FILE: "key.pem" }, "HEADWATER_TLS_CERT_FILE"],
    [{ HEADWATER_TLS_CERT_FILE: "cert.pem" }, "HEADWATER_TLS_KEY_FILE"],
    [{ HEADWATER_ALLOW_PLAIN_HTTP: "trusted-proxy" }, "HEADWATER_TRUSTED_PROXIES"],
    [{ HEADWATER_TRUSTED_PROXIES: "10.0.0.0/8,proxy" }, "HEADWATER_TRUSTED_PROXIES"],
    [{ HEADWATER_ALLOW_PLAIN_HTTP: "yes" }, "HEADWATER_ALLOW_PLAIN_HTTP"],
  ])("cannot be %j", (env, wrong) => {
    expect(() => read(env)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(wrong) }),
    );
  });
});
