import { type Called, type CallOptions, type Running, startService } from "../../service/running.ts";
import { seedContacts } from "../../service/seed.ts";
import { email } from "../templates/templateWorld.ts";

export const CID = "65f0c0ffee65f0c0ffee0001";
export const ROOT = "/v2/batchmessages";
export const EVERYBODY = { and: [] };
export const UNSUBSCRIBE = '<a href="{{ links.unsubscribe }}">Unsubscribe</a>';

/** Returns a body that creates a promotional email to everybody. */
export const message = (more: object = {}) => ({
  ...{ channel: "email", classification: "promotional", audience: EVERYBODY },
  message: email(`<p>Hello</p>${UNSUBSCRIBE}`, { replyEmail: "help@example.com" }),
  ...more,
});

type Call = (
  method: CallOptions["method"] & string,
  url: string,
  body?: unknown,
  as?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Called>;

export interface MessageWorld {
  readonly service: Running;
  readonly account: Awaited<ReturnType<Running["account"]>>["account"];
  readonly otherKey: string;
  readonly call: Call;
  /** Creates a message. @returns its id. */
  make(more?: object): Promise<string>;
}

/** An account with one contact, and another one. */
export async function messageWorld(): Promise<MessageWorld> {
  const service = await startService();
  const { account } = await service.account({
    ...{ timezone: "Europe/Berlin", currency: "EUR" },
    messaging: { domains: { shop: "links.shop.example" } },
  });
  const key = await service.key(account, { scopes: ["read", "write", "admin"] });
  const otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
  await seedContacts(service.postgres, account, [
    { number: 1_000, cid: CID, identifiers: { email: "ada@example.com" } },
  ]);
  const call: Call = (method, url, body, as = key, headers = {}) =>
    service.call(as, url, { method, headers, ...(body !== undefined && { body }) });
  const make = async (more?: object) => {
    const created = await call("POST", ROOT, message(more));
    if (created.status !== 201) throw new Error(created.text);
    return String(created.body.id);
  };
  return { service, account, otherKey, call, make };
}
