import type { Storage } from "@headwater/contracts";

export const SFTP_PORT_DEFAULT = 22;

export interface Address {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
}

const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };
const TLS_PORT = 443;
/** Domains of AWS, by its partitions. */
const AWS_DOMAINS = [
  ".amazonaws.com",
  ".amazonaws.com.cn",
  ".amazonaws.eu",
  ".c2s.ic.gov",
  ".sc2s.sgov.gov",
  ".csp.hci.ic.gov",
  ".cloud.adc-e.uk",
];

/** Returns whether a storage is reached at an address: the process that calls it asks for no other connection. */
export function isReachedAt(storage: Storage, { host, port }: Address): boolean {
  const known = addressOf(storage);
  if (known !== undefined) return host.toLowerCase() === known.host.toLowerCase() && port === known.port;
  return port === TLS_PORT && AWS_DOMAINS.some((domain) => host.toLowerCase().endsWith(domain));
}

/** Returns the one address of a storage; undefined for AWS itself, whose hosts are named by bucket and region. */
function addressOf(storage: Storage): Address | undefined {
  switch (storage.type) {
    case "sftp":
      return { host: storage.server, port: storage.port ?? SFTP_PORT_DEFAULT };
    case "azureblob":
      return urlAddress(storage.endpoint ?? `https://${storage.account}.blob.core.windows.net`);
    case "s3":
      return storage.aws_endpoint === undefined ? undefined : urlAddress(storage.aws_endpoint);
  }
}

function urlAddress(text: string): Address {
  const { hostname, port, protocol } = new URL(text);
  return { host: withoutBrackets(hostname), port: port === "" ? (PORTS[protocol] ?? TLS_PORT) : Number(port) };
}

/** Returns a host as sockets name it: addresses of IPv6 stand in brackets only in URLs. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
