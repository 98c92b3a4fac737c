import { createPrivateKey } from "node:crypto";
import { type Account, storedTransports, transportSecretContext, webhookSecretContext } from "@headwater/contracts";
import { HeadwaterError, type Outbound, type Sealer } from "@headwater/kernel";
import { problemOfDkimKey } from "../../compose/dkimKey.ts";
import { createHandover, type HandoverPorts } from "../../handover/createHandover.ts";
import type { TransportRates } from "../../pace/limits.ts";
import type { StoredTransport } from "../../transports/postgres.ts";
import type { OpenTransport, OpenTransports } from "./handovers.ts";

export interface OpeningPorts extends Omit<HandoverPorts, "sealer" | "outbound"> {
  readonly outbound: Pick<Outbound, "ofAccount">;
  /** Opens the secrets of transports. Absent: the installation keeps none. */
  readonly sealer: Pick<Sealer, "open"> | undefined;
}

/** Creates what opens transports as they are stored, with the keys that sign their mails. */
export function createTransportOpener({ sealer = noSealer, outbound, ...ports }: OpeningPorts): OpenTransports {
  const open = (transport: StoredTransport, account: Account) => {
    const { webhookSecret } = account.settings;
    const signingSecret = webhookSecret && sealer.open(webhookSecret.sealed, webhookSecretContext(account.id));
    const { id, type, settings } = transport;
    const used = { id, type, settings, accountId: account.id, account: account.number };
    const handover = createHandover(
      { ...used, ...(signingSecret && { signingSecret }) },
      { ...ports, outbound: outbound.ofAccount(account.number), sealer },
    );
    return { handover, rates: ratesOf(transport), ...mailSettings(transport, account, sealer) };
  };
  return (transport, account) => {
    try {
      return open(transport, account);
    } catch (error) {
      if (!(error instanceof HeadwaterError) || error.code !== "CONFIG_INVALID") throw error;
      // The sends of other transports go on.
      ports.logger.error(
        { err: error, accountId: account.id, transport: transport.id },
        "the transport's secrets cannot be opened, holding its sends",
      );
      return undefined;
    }
  };
}

function ratesOf({ type, settings }: StoredTransport): TransportRates {
  const input: unknown = JSON.parse(settings);
  const { perSecond, windows, perDomain, warmup } = storedTransports[type].parse(input);
  return { perSecond, windows, perDomain, warmup };
}

function mailSettings(
  { id, type, settings }: StoredTransport,
  account: Account,
  sealer: Pick<Sealer, "open">,
): Pick<OpenTransport, "dkim" | "returnPath" | "fromDomains"> {
  if (type !== "smtp") return { dkim: [] };
  const provided: unknown = JSON.parse(settings);
  const { dkim = [], returnPath, fromDomains } = storedTransports.smtp.parse(provided);
  const keys = dkim.map(({ domain, selector, privateKey }) => {
    const context = transportSecretContext(account.id, id, `dkim/${domain}/${selector}`);
    const key = createPrivateKey(sealer.open(privateKey.sealed, context));
    // Stored before keys had an upper bound.
    const problem = problemOfDkimKey(key);
    if (problem !== undefined) throw configInvalid(`A DKIM key of the transport cannot be used. ${problem}`);
    return { domain, selector, privateKey: key };
  });
  return { dkim: keys, ...(returnPath !== undefined && { returnPath }), ...(fromDomains && { fromDomains }) };
}

const noSealer: Pick<Sealer, "open"> = {
  open() {
    throw configInvalid("The transport has secrets, and HEADWATER_SETTINGS_KEY_FILE is not set.");
  },
};

function configInvalid(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}
