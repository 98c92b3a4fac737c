import { createPrivateKey } from "node:crypto";
import {
  isSecretHeader,
  last4Of,
  mergePatch,
  type StoredSecret,
  type StoredTransportSettings,
  secretView,
  type TransportType,
  transportSecretContext,
  writtenTransports,
} from "@headwater/contracts";
import { refusal } from "@headwater/http";
import {
  type ErrorDetail,
  type Outbound,
  pointerStep,
  privateAddressRefused,
  type Sealer,
  safeParse,
  toDetails,
} from "@headwater/kernel";
import type { z } from "zod";
import { problemOfDkimKey } from "../compose/dkimKey.ts";
import { readSettings, secretsOf, showSettings } from "./settingsView.ts";

export interface SettingsToResolve {
  readonly type: TransportType;
  /** Member `settings` of the body. */
  readonly given: unknown;
  /** Stored settings, as JSON text. */
  readonly before?: string;
  readonly accountId: string;
  readonly transportId: string;
}

export interface ResolvePorts {
  readonly sealer: Sealer | undefined;
  readonly transportOutbound: Pick<Outbound, "permits">;
}

type Written<Type extends TransportType> = z.output<(typeof writtenTransports)[Type]>;
type Secret = NonNullable<Written<"smtp">["password"]>;

const AT = "/settings";
const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";

/**
 * Returns the settings to store, as JSON text: what is given goes into what is stored, `null` removes, secrets are sealed.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` with the path of every wrong member.
 */
export function resolveSettings(wanted: SettingsToResolve, ports: ResolvePorts): string {
  const { settled: resolved, problems } = tryToResolve(wanted, ports);
  if (resolved === undefined) throw invalidTransport(problems);
  return resolved;
}

export interface TriedSettings {
  /** Undefined where there are problems. */
  readonly settled: string | undefined;
  readonly problems: readonly ErrorDetail[];
}

/** Resolves settings as `resolveSettings` does, and returns what is wrong with them. */
export function tryToResolve(wanted: SettingsToResolve, ports: ResolvePorts): TriedSettings {
  const { type, given: input, before } = wanted;
  const merged = mergePatch(before === undefined ? {} : showSettings(type, before), input);
  const settling = new Settling(wanted, ports);
  const completed = settling.settle(merged);
  const { problems } = settling;
  return { settled: completed === undefined || problems.length > 0 ? undefined : JSON.stringify(completed), problems };
}

export function invalidTransport(details: readonly ErrorDetail[]) {
  return refusal("VALIDATION_ERROR", "The transport is invalid.", { details });
}

/** Resolves one transport's settings and gathers what is wrong with them. */
class Settling {
  readonly problems: ErrorDetail[] = [];
  readonly #wanted: SettingsToResolve;
  readonly #ports: ResolvePorts;
  readonly #stored: ReadonlyMap<string, StoredSecret>;

  constructor(wanted: SettingsToResolve, ports: ResolvePorts) {
    this.#wanted = wanted;
    this.#ports = ports;
    const { type, before } = wanted;
    this.#stored = before === undefined ? new Map() : secretsOf(readSettings(type, before));
  }

  /** Returns undefined for settings of another shape. */
  settle(merged: unknown): StoredTransportSettings | undefined {
    switch (this.#wanted.type) {
      case "smtp":
        return this.#read(writtenTransports.smtp, merged, (settings) => this.#smtp(settings));
      case "http":
        return this.#read(writtenTransports.http, merged, (settings) => this.#http(settings));
      case "log":
        return this.#read(writtenTransports.log, merged, (settings) => settings);
    }
  }

  #read<Settings>(
    shape: z.ZodType<Settings>,
    merged: unknown,
    resolve: (settings: Settings) => StoredTransportSettings,
  ): StoredTransportSettings | undefined {
    const parsed = safeParse(shape, merged);
    if (parsed.success) return resolve(parsed.data);
    this.problems.push(...toDetails(parsed.error).map((detail) => ({ ...detail, path: `${AT}${detail.path}` })));
    return undefined;
  }

  #smtp({ password, dkim, ...rest }: Written<"smtp">): StoredTransportSettings {
    this.#refusePrivate(rest.host, "/host");
    const keys = dkim?.map(({ domain, selector, privateKey }, index) => {
      const path = `/dkim/${index}`;
      if (dkim.findIndex((one) => one.domain === domain && one.selector === selector) < index) {
        this.#problem(path, "bad_value", "Domain and selector stand here twice.");
      }
      if (typeof privateKey === "string") this.#checkKey(privateKey, `${path}/privateKey`);
      const sealed = this.#seal(privateKey, `dkim/${domain}/${selector}`, `${path}/privateKey`);
      return { domain, selector, privateKey: sealed };
    });
    return {
      ...rest,
      ...(password !== undefined && { password: this.#seal(password, "password", "/password") }),
      ...(keys !== undefined && { dkim: keys }),
    };
  }

  #http({ headers, ...rest }: Written<"http">): StoredTransportSettings {
    this.#refusePrivate(new URL(rest.url).hostname, "/url");
    const sealed = Object.entries(headers ?? {}).map(([name, value]): [string, string | StoredSecret] => {
      const path = `/headers/${pointerStep(name)}`;
      if (typeof value === "string" && !isSecretHeader(name)) return [name, value];
      return [name, this.#seal(value, `headers/${name.toLowerCase()}`, path)];
    });
    return { ...rest, ...(headers !== undefined && { headers: Object.fromEntries(sealed) }) };
  }

  #seal(secret: Secret, position: string, path: string): StoredSecret {
    const view = safeParse(secretView, secret);
    const stored = this.#stored.get(position);
    if (view.success && stored?.last4 === view.data.last4) return stored;
    const { sealer } = this.#ports;
    if (typeof secret !== "string") this.#problem(path, "bad_value", "No secret that is shown so is stored here.");
    else if (sealer === undefined) this.#problem(path, "not_allowed", NO_KEY);
    else {
      const { accountId, transportId } = this.#wanted;
      const context = transportSecretContext(accountId, transportId, position);
      return { sealed: sealer.seal(secret, context), last4: last4Of(secret) };
    }
    return { sealed: "", last4: "" };
  }

  /** A name is checked when it is connected to, for its address may change. */
  #refusePrivate(host: string, path: string): void {
    const bare = host.replace(/\.$/, "").toLowerCase();
    const address = bare === "localhost" || bare.endsWith(".localhost") ? "127.0.0.1" : bare;
    if (this.#ports.transportOutbound.permits(address)) return;
    this.#problem(path, "not_allowed", privateAddressRefused.transport);
  }

  #checkKey(pem: string, path: string): void {
    const problem = problemOfKey(pem);
    if (problem !== undefined) this.#problem(path, "bad_value", problem);
  }

  #problem(path: string, code: string, message: string): void {
    this.problems.push({ path: `${AT}${path}`, code, message });
  }
}

function problemOfKey(pem: string): string | undefined {
  try {
    return problemOfDkimKey(createPrivateKey(pem));
  } catch {
    return "The text is not a private key in PEM.";
  }
}
