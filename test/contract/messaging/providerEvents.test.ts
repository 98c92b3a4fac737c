import { randomBytes } from "node:crypto";
import { eventsUrlContext } from "@headwater/contracts";
import { createSealer, systemClock } from "@headwater/kernel";
import { createTransportLookup } from "@headwater/messaging/tracker/provider/transportLookup";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, type Running, startService } from "../service/running.ts";
import { problems } from "./templates/templateWorld.ts";

let service: Running;
let key: string;
let account: { readonly id: string };
const sealer = createSealer([randomBytes(32)]);
beforeAll(async () => {
  service = await startService({ sealer });
  const mine = await service.account();
  account = mine.account;
  key = await service.key(mine.account, { scopes: ["transports:read", "transports:write"] });
});
afterAll(() => service.stop());

const call = (method: CallOptions["method"] & string, url: string, body?: unknown, as = key, headers = {}) =>
  service.call(as, url, { method, headers, ...(body !== undefined && { body }) });

describe("transports", () => {
  test("of HTTP say once where their provider posts events, and the tracker finds them by it", async () => {
    const map = { type: "event.name", mcID: "metadata.mcID" };
    const settings = { url: "https://sms.example.com", events: { list: "events[]", map, types: { Failed: "bounce" } } };
    const body = { name: "Reporting", channel: "sms", type: "http", settings };
    const headers = { "idempotency-key": "events" };
    const { status, body: created, headers: answered } = await call("POST", "/v2/transports", body, key, headers);
    expect([status, answered["cache-control"]]).toEqual([201, "no-store"]);
    const [, id = "", secret = ""] = /\/t\/in\/([^/]+)\/([^/]+)$/.exec(created.eventsUrl) ?? [];
    expect([id, sealer.isTokenOf(eventsUrlContext(id), secret)]).toEqual([created.id, true]);
    const again = await call("POST", "/v2/transports", body, key, headers);
    expect([again.status, again.body, again.headers.etag]).toEqual([status, created, answered.etag]);
    expect([again.headers["idempotency-replayed"], again.headers["cache-control"]]).toEqual(["true", "no-store"]);
    const stored = "SELECT count(*)::int AS count FROM intake.idempotency i WHERE i::text LIKE '%' || $1 || '%'";
    expect(await service.postgres.query({ text: stored }, [id])).toEqual([{ count: 1 }]);
    expect(await service.postgres.query({ text: stored }, [secret])).toEqual([{ count: 0 }]);
    const view = await call("GET", `/v2/transports/${id}`);
    expect(view.body).toMatchObject({ eventsUrl: { set: true, last4: secret.slice(-4) }, settings });
    expect((await call("GET", "/v2/transports?fields=eventsUrl")).body.data).toContainEqual({
      eventsUrl: view.body.eventsUrl,
    });
    const find = createTransportLookup(service.postgres, systemClock);
    expect(await find(id)).toMatchObject({ transport: { id, channel: "sms" }, account: { id: account.id } });
    expect(await find("65f0c0ffee65f0c0ffee00c9")).toBeUndefined();
  });

  test("have mappings of events whose mistakes are reported, each with its path", async () => {
    const events = { list: "a[", map: { type: "nosuch(@)", mcID: "join('', @)" }, types: { x: "opened" } };
    const settings = { url: "https://sms.example.com", events };
    const wrong = { name: "Wrong", channel: "sms", type: "http", settings };
    expect(problems(await call("POST", "/v2/transports", wrong))[2]).toContain("/settings/events/types/x");
    const { types: _types, ...mapping } = events;
    const named = await call("POST", "/v2/transports", { ...wrong, settings: { ...settings, events: mapping } });
    expect(named.body.details.map(({ path }: { path: string }) => path)).toEqual([
      ...["/settings/events/list", "/settings/events/map/type", "/settings/events/map/mcID"],
    ]);
  });
});
