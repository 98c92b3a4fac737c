import { isNetwork } from "@headwater/kernel";
import { z } from "zod";
import type { HttpServerOptions, ListenAddress } from "./server/httpServer.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const networks = z
  .string()
  .transform((list) => list.split(",").map((entry) => entry.trim()))
  .pipe(z.array(z.string().refine(isNetwork)));

/** Settings of a process that say where it listens and how clients reach it. */
export const httpEnvironment = {
  HEADWATER_HOST: z.string().default("127.0.0.1"),
  HEADWATER_PORT: port,
  /** `true`: other processes may listen on the same address and port, and the system spreads connections over them; Linux only. */
  HEADWATER_SHARE_PORT: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true"),
  /** Health and metrics have neither TLS nor keys: beyond the loopback only where nobody else can reach them. */
  HEADWATER_OPERATIONS_HOST: z.string().default("127.0.0.1"),
  HEADWATER_OPERATIONS_PORT: port,
  /** `loopback` in development, `trusted-proxy` behind a proxy that ends TLS, absent: HTTPS by this process alone. */
  HEADWATER_ALLOW_PLAIN_HTTP: z.enum(["loopback", "refuse", "trusted-proxy"]).default("refuse"),
  /** Comma list of addresses and ranges whose `X-Forwarded-Proto` and `X-Forwarded-For` are believed. */
  HEADWATER_TRUSTED_PROXIES: networks.default([]),
  HEADWATER_TLS_KEY_FILE: z.string().optional(),
  HEADWATER_TLS_CERT_FILE: z.string().optional(),
} as const;

const shape = z.object(httpEnvironment);
type HttpEnvironment = z.output<typeof shape>;

/** Checks settings that go together only; for `superRefine`. */
export function checkHttpEnvironment(config: HttpEnvironment, context: z.RefinementCtx): void {
  const { HEADWATER_TLS_KEY_FILE: keyFile, HEADWATER_TLS_CERT_FILE: certFile } = config;
  const missing = (name: keyof HttpEnvironment) =>
    context.addIssue({ code: "custom", path: [name], message: "is required by another variable" });
  if (certFile !== undefined && keyFile === undefined) missing("HEADWATER_TLS_KEY_FILE");
  if (keyFile !== undefined && certFile === undefined) missing("HEADWATER_TLS_CERT_FILE");
  if (config.HEADWATER_ALLOW_PLAIN_HTTP === "trusted-proxy" && config.HEADWATER_TRUSTED_PROXIES.length === 0) {
    missing("HEADWATER_TRUSTED_PROXIES");
  }
}

/** Reads from the environment how a server is reached. */
export function httpOptionsOf(
  config: HttpEnvironment,
): Pick<HttpServerOptions, "plainHttp" | "trustedProxies" | "tls"> {
  const { HEADWATER_TLS_KEY_FILE: keyFile, HEADWATER_TLS_CERT_FILE: certFile } = config;
  return {
    plainHttp: config.HEADWATER_ALLOW_PLAIN_HTTP,
    trustedProxies: config.HEADWATER_TRUSTED_PROXIES,
    ...(keyFile !== undefined && certFile !== undefined && { tls: { keyFile, certFile } }),
  };
}

/** Reads from the environment where a server listens. */
export function listenAddressOf(
  config: Pick<HttpEnvironment, "HEADWATER_HOST" | "HEADWATER_PORT" | "HEADWATER_SHARE_PORT">,
): ListenAddress {
  return { host: config.HEADWATER_HOST, port: config.HEADWATER_PORT, reusePort: config.HEADWATER_SHARE_PORT };
}
