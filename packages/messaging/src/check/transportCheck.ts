/** Names of what is checked. Several checks may have the same one, for several domains or keys. */
export type CheckName = "connection" | "tls" | "login" | "dkim" | "spf" | "dmarc";

/** One thing that was checked, and what was found. */
export interface TransportCheck {
  readonly name: CheckName;
  readonly ok: boolean;
  readonly message: string;
}

export function passed(name: CheckName, message: string): TransportCheck {
  return { name, ok: true, message };
}

export function failed(name: CheckName, message: string): TransportCheck {
  return { name, ok: false, message };
}
