import { type Account, type MessageDataSource, toTimestamp } from "@headwater/contracts";
import { type MessageContext, previewLinks } from "../frozen/renderRequestOf.ts";
import { messageLimits } from "../limits.ts";
import { messageDataOf } from "../messageData/messageDataOf.ts";
import type { RoutePorts } from "../ports.ts";
import { linkBaseOf } from "../tracking/linkBase.ts";
import { invalidContent, renderFailed } from "./prepareParts.ts";

/** A contact as answers show it. */
export interface ShownContact {
  readonly number: number;
  readonly shown: object;
}

export interface RenderedFor {
  readonly contact: ShownContact;
  readonly account: Account;
  readonly message: Readonly<Record<string, unknown>>;
  /** Sources of the records that it shows. */
  readonly sources: readonly MessageDataSource[];
  /** Key of the domain that its links begin with. */
  readonly vanityDomainKey?: string | undefined;
}

export type ContextPorts = Pick<RoutePorts, "clock" | "postgres" | "trackingUrl">;

/** Gathers what a message may say of a contact. @throws HeadwaterError 422 `VALIDATION_ERROR` with `render_failed`. */
export async function renderContext(
  { contact: { number, shown }, account, message, sources, vanityDomainKey }: RenderedFor,
  ports: ContextPorts,
): Promise<MessageContext> {
  const nowMs = ports.clock.nowMs();
  const asked = { account, contacts: [number], nowMs, bytesMax: messageLimits.contextBytes };
  const data = (await messageDataOf(ports.postgres, sources, asked))(number);
  if (data.kind === "refused") throw invalidContent([renderFailed({ path: "/message/data", message: data.message })]);
  const { id, name, settings } = account;
  const { timezone, currency, messaging } = settings;
  return {
    contact: shown,
    mergeData: {},
    data: data.data,
    message,
    account: { id, name, timezone, currency },
    linkParameters: messaging.linkParameters,
    links: previewLinks(linkBaseOf({ trackingUrl: ports.trackingUrl, settings: messaging, vanityDomainKey })),
    now: toTimestamp(nowMs),
  };
}
