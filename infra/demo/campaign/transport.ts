import { z } from "zod";
import type { HttpApi } from "../httpApi.ts";

const NAME = "Demo mail server";
const transports = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), default: z.boolean().optional() })),
});
const created = z.object({ id: z.string() });

/**
 * Returns the id of the transport to the demo's mail server: made at the first start, then kept at its address. `npm start` lets transports
 * reach 127.0.0.1 alone for it, not every private address.
 */
export async function mailTransport(api: Pick<HttpApi, "get" | "write">, smtpUrl: string): Promise<string> {
  const { hostname, port } = new URL(smtpUrl);
  const settings = { host: hostname, port: Number(port), tls: "none" };
  const { data } = transports.parse(await api.get("/v2/transports?channel=email"));
  const known = data.find(({ name }) => name === NAME);
  if (known !== undefined) {
    await api.write("PUT", `/v2/transports/${known.id}`, { settings });
    return known.id;
  }
  const isDefault = !data.some((transport) => transport.default === true);
  const body = { name: NAME, channel: "email", type: "smtp", default: isDefault, settings };
  return created.parse(await api.write("POST", "/v2/transports", body)).id;
}
