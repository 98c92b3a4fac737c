import { storedTransports, type TransportType, transportSecretContext } from "@headwater/contracts";
import type { Clock, Logger, Outbound, Sealer } from "@headwater/kernel";
import type { Handover } from "../frozen/handover.ts";
import type { Renderer } from "../renderer/createRenderer.ts";
import { defined } from "./defined.ts";
import { createHttpHandover } from "./http/httpHandover.ts";
import { createLogHandover } from "./log/logHandover.ts";
import { createSmtpHandover } from "./smtp/smtpHandover.ts";

/** A transport as it is stored. */
export interface TransportToUse {
  readonly id: string;
  readonly type: TransportType;
  /** JSON text with sealed secrets. */
  readonly settings: string;
  readonly accountId: string;
  /** Number of the account. */
  readonly account: number;
  /** Opened secret that the account signs requests with. */
  readonly signingSecret?: string;
}

export interface HandoverPorts {
  /** Way out that refuses private addresses, but for those that the operator allows. */
  readonly outbound: Pick<Outbound, "connect" | "httpAgent" | "httpsAgent">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly renders: Pick<Renderer, "render">;
  /** @throws HeadwaterError `CONFIG_INVALID` when no key opens a secret. */
  readonly sealer: Pick<Sealer, "open">;
}

/**
 * Makes the way out of a stored transport. Connects nowhere yet.
 * @throws HeadwaterError `CONFIG_INVALID` when a secret cannot be opened.
 */
export function createHandover(transport: TransportToUse, ports: HandoverPorts): Handover {
  const settings: unknown = JSON.parse(transport.settings);
  switch (transport.type) {
    case "smtp":
      return smtpOf(transport, settings, ports);
    case "http":
      return httpOf(transport, settings, ports);
    case "log":
      return createLogHandover(ports.logger);
  }
}

function smtpOf(transport: TransportToUse, settings: unknown, ports: HandoverPorts): Handover {
  const { host, port, tls, username, password, connections, answerTimeoutSeconds } =
    storedTransports.smtp.parse(settings);
  const opened = password && openSecret(transport, password.sealed, "password", ports);
  const target = { port, tls, username, password: opened, connections, answerTimeoutSeconds };
  return createSmtpHandover({ host, ...defined(target) }, ports);
}

function httpOf(transport: TransportToUse, settings: unknown, ports: HandoverPorts): Handover {
  const {
    url,
    headers = {},
    body,
    accepted,
    idempotent,
    connections,
    answerTimeoutSeconds,
  } = storedTransports.http.parse(settings);
  const opened = Object.entries(headers).map(([name, value]): [string, string] => {
    if (typeof value === "string") return [name, value];
    return [name, openSecret(transport, value.sealed, `headers/${name.toLowerCase()}`, ports)];
  });
  const target = { body, accepted, idempotent, connections, answerTimeoutSeconds };
  const { clock, outbound, renders } = ports;
  const { account, signingSecret } = transport;
  return createHttpHandover(
    { url, headers: Object.fromEntries(opened), ...defined(target) },
    { clock, outbound, render: (request) => renders.render(account, request), ...defined({ signingSecret }) },
  );
}

function openSecret({ accountId, id }: TransportToUse, sealed: string, position: string, { sealer }: HandoverPorts) {
  return sealer.open(sealed, transportSecretContext(accountId, id, position));
}
