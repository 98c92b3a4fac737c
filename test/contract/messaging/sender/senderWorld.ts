import type { Account } from "@headwater/contracts";
import { type Clock, createLogger, createMetrics, createOutbound, type Logger, systemClock } from "@headwater/kernel";
import type { Delivered, OutgoingMail } from "@headwater/messaging/frozen/handover";
import { createRenderer, type Renderer } from "@headwater/messaging/renderer/createRenderer";
import { createTemplateSource } from "@headwater/messaging/sending/messages/templateSource";
import type { IntentLog, SenderPorts } from "@headwater/messaging/sending/ports";
import { createSender, type Sender } from "@headwater/messaging/sending/sender";
import { createSenderMetrics } from "@headwater/messaging/sending/senderMetrics";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { readIntakePayload } from "@headwater/postgres/outbox/intakePayload";
import { type Called, type Running, startService } from "../../service/running.ts";

export const ROOT = "/v2/automationtemplates";
const logger = createLogger({ name: "sender-test", level: "silent" });
const SENT: Delivered = { outcome: { kind: "sent" }, code: 250, text: "2.0.0 queued" };

export interface SenderWorld {
  readonly service: Running;
  readonly postgres: Postgres;
  readonly account: Account;
  /** Ports of transports. */
  readonly ways: { readonly renders: Renderer; readonly clock: Clock; readonly logger: Logger };
  /** Mails that were handed over, in order. */
  readonly mails: OutgoingMail[];
  /** Says how the next attempts end. */
  answer(how: (mail: OutgoingMail) => Delivered | Promise<Delivered>): void;
  call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Called>;
  otherCall(method: "GET" | "POST", url: string, body?: unknown): Promise<Called>;
  /** Creates a template of the channel `email`. */
  make(key: string, more?: object, html?: string): Promise<Called>;
  sender(more?: Partial<SenderPorts>): Sender;
  /** Sends until nothing is due. */
  sendAll(sender?: Sender): Promise<void>;
  /** Actions and properties of the activities that wait in the outbox, which is emptied. */
  activities(): Promise<
    { readonly action: string; readonly uid: string; readonly properties: Record<string, unknown> }[]
  >;
  /** State and reason of the sends of a template. */
  states(key: string, query?: string): Promise<string[]>;
  /** Moves the time of what is due to now. */
  setDue(): Promise<void>;
  close(): Promise<void>;
}

/** An account with a default transport, and a sender whose server the test plays. */
export async function senderWorld(settings: object = {}): Promise<SenderWorld> {
  const service = await startService({ transportOutbound: createOutbound({ allow: ["127.0.0.1"] }) });
  const { postgres } = service;
  const { account } = await service.account({ timezone: "Europe/Berlin", ...settings });
  const key = await service.key(account, { scopes: ["read", "write", "admin"] });
  const otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
  const renders = createRenderer();
  const mails: OutgoingMail[] = [];
  let how: (mail: OutgoingMail) => Delivered | Promise<Delivered> = () => SENT;
  const call: SenderWorld["call"] = (method, url, body, headers = {}) =>
    service.call(key, url, { method, headers, ...(body !== undefined && { body }) });
  await call("POST", "/v2/transports", {
    ...{ name: "main", channel: "email", type: "smtp", default: true, settings: { host: "mail.example.com" } },
  });
  const deliver = async (mail: OutgoingMail) => {
    mails.push(mail);
    return how(mail);
  };
  const world = { postgres, renders, deliver };
  let owners = 0;
  const sender = (more: Partial<SenderPorts> = {}) => createSender({ ...portsOf(world, `owner-${++owners}`), ...more });
  const sendAll = async (one = sender()) => {
    while (await one.sendOnce());
  };
  return {
    service,
    postgres,
    account,
    ways: { renders, clock: systemClock, logger },
    mails,
    answer: (next) => {
      how = next;
    },
    call,
    otherCall: (method, url, body) => service.call(otherKey, url, { method, ...(body !== undefined && { body }) }),
    make: (name, more = {}, html = '<p>Hi {{ contact.attributes.name }}</p><a href="{{ links.unsubscribe }}">x</a>') =>
      call("POST", ROOT, {
        ...{ key: name, name, channel: "email", baseAggregation: "daily" },
        message: {
          headers: { subject: "Hello {{ order }}", fromEmail: "news@example.com", fromDesc: "Shop" },
          content: { "text/html": html },
        },
        ...more,
      }),
    sender,
    sendAll,
    activities: () => readActivities(postgres),
    states: async (name, query = "") => {
      const { body } = await call("GET", `${ROOT}/${name}/sends?sort_dir=asc${query}`);
      return body.data.map(({ state, reason }: Record<string, string>) =>
        reason === undefined ? state : `${state} ${reason}`,
      );
    },
    setDue: async () =>
      void (await postgres.execute({
        text: "UPDATE sends SET due_at = 0 WHERE state = 'deferred' OR state = 'pending'",
      })),
    close: async () => {
      await renders.close();
      await service.stop();
    },
  };
}

/** The log of intents, in tests that lose no store. */
export const publishedNowhere: IntentLog = { isReady: () => true, publish: async () => undefined };

interface World {
  readonly postgres: Postgres;
  readonly renders: Renderer;
  deliver(mail: OutgoingMail): Promise<Delivered>;
}

function portsOf({ postgres, renders, deliver }: World, owner: string): SenderPorts {
  return {
    postgres,
    renders,
    owner,
    intents: publishedNowhere,
    messages: createTemplateSource(postgres),
    handovers: createHandovers(postgres, () => ({
      handover: { deliver, close: async () => undefined },
      dkim: [],
      rates: {},
    })),
    trackingUrl: "https://t.example.com",
    tokens: createTrackingTokens([Buffer.alloc(32, 1)]),
    metrics: createSenderMetrics(createMetrics({ processMetrics: false })),
    clock: systemClock,
    logger,
  };
}

async function readActivities(postgres: Postgres) {
  const rows = await postgres.query<{ payload: string }>({
    text: "DELETE FROM outbox WHERE topic = 'intake.records' RETURNING payload",
  });
  return rows.flatMap(({ payload }) =>
    readIntakePayload(payload).records.map((text) => {
      const { name: action, UID: uid, properties } = JSON.parse(text).event;
      return { action, uid, properties };
    }),
  );
}

/** Body of a transactional template of email with this key. */
export const templateBody = (key: string, more: object = {}) => ({
  ...{ key, name: key, channel: "email", classification: "transactional", baseAggregation: "daily" },
  message: {
    headers: { subject: "Hello", fromEmail: "news@example.com", fromDesc: "Shop" },
    content: { "text/html": "<p>Hello</p>" },
  },
  ...more,
});
