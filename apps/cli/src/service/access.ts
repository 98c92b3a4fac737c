import { HeadwaterError } from "@headwater/kernel";
import type { Addresses } from "../addresses.ts";
import type { Settings } from "../settings/settings.ts";

/** Address and key of the API. */
export interface Access {
  readonly baseUrl: string | undefined;
  readonly intakeUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Origin of the key, for people. */
  readonly source: string;
}

/** Advice to who asks the only address there is for intake, and does not find it there. */
export const INTAKE_ELSEWHERE =
  "Intake (/api) may have another address: set HEADWATER_INGRESS_URL, or sign in with headwater login --intake-url.";

/** Returns whether one address stands for both APIs. */
export function isIntakeAddressUnknown({ baseUrl, intakeUrl }: Pick<Access, "baseUrl" | "intakeUrl">): boolean {
  return intakeUrl === undefined || intakeUrl === baseUrl;
}

interface Known {
  /** Addresses from the environment alone. */
  readonly environment: Addresses;
  /** Addresses from `connection.json` of a running instance. */
  readonly instance: Addresses;
  readonly settings: Settings;
  /** `--profile` was typed. */
  readonly isProfileTyped: boolean;
}

/**
 * Decides which API is called, and with which key. `--profile` wins over the environment, that over the chosen profile, and an instance on
 * this machine comes last. A profile's key goes to the profile's address alone: not to one that the environment names.
 */
export function accessOf({ environment, instance, settings, isProfileTyped }: Known): Access {
  const { profile, profileName, apiKey, config } = settings;
  const isKnown = profile.baseUrl !== undefined || apiKey !== undefined;
  if (!isKnown && (isProfileTyped || config.profile !== undefined)) throw unknownProfile(profileName);
  const typed: Access = { ...addressesOf(profile), apiKey, source: `profile ${profileName}` };
  if (isProfileTyped) return typed;
  const input = ofVariables(environment, "HEADWATER_API_KEY");
  const stored = isKnown ? typed : ofVariables(instance, "connection.json");
  return {
    baseUrl: input.baseUrl ?? stored.baseUrl,
    intakeUrl: input.intakeUrl ?? (input.baseUrl === undefined ? stored.intakeUrl : undefined),
    ...keyOf(input, stored),
  };
}

function keyOf(provided: Access, stored: Access): Pick<Access, "apiKey" | "source"> {
  if (provided.apiKey !== undefined) return { apiKey: provided.apiKey, source: provided.source };
  const isOwnAddress = [provided.baseUrl, provided.intakeUrl].every(
    (url) => url === undefined || url === stored.baseUrl || url === stored.intakeUrl,
  );
  if (isOwnAddress) return { apiKey: stored.apiKey, source: stored.source };
  return { apiKey: undefined, source: `that of ${stored.source} is for ${stored.baseUrl ?? "nowhere"}` };
}

function unknownProfile(name: string): HeadwaterError {
  const publicMessage = `Profile ${name} does not exist. Create it with headwater login --profile ${name}.`;
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}

function addressesOf({ baseUrl, intakeUrl }: Settings["profile"]) {
  return { baseUrl, intakeUrl: intakeUrl ?? baseUrl };
}

/** One base address stands for both APIs; where they have one each, the two names go first. */
function ofVariables(addresses: Addresses, source: string): Access {
  const { HEADWATER_BASE_URL: base, HEADWATER_SERVICE_URL: service, HEADWATER_INGRESS_URL: ingress } = addresses;
  return { baseUrl: service ?? base, intakeUrl: ingress ?? base, apiKey: addresses.HEADWATER_API_KEY, source };
}
