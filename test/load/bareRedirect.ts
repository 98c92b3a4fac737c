import Fastify from "fastify";
import { z } from "zod";
import { serveTasks } from "./processes/serveTasks.ts";

/** Process: a limit of the tracker. Fastify as it comes, which only redirects. */
serveTasks(async () => {
  const server = Fastify({ logger: false, maxParamLength: 4_096 });
  server.get("/t/c/:token", (_request, reply) => reply.redirect("https://shop.example.com/p/1", 302));
  await server.listen({ host: "127.0.0.1", port: 0 });
  return z.object({ port: z.number() }).parse(server.server.address());
});
