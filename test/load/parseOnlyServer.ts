import Fastify from "fastify";
import { z } from "zod";
import { serveTasks } from "./processes/serveTasks.ts";

const BODY_BYTES_MAX = 10 * 1024 * 1024;

/** Process: a limit of the ingress. Fastify as it comes, that parses JSON and answers 202 with a body of the usual length. */
const server = Fastify({ logger: false, bodyLimit: BODY_BYTES_MAX });
const receipt = "r".repeat(220);
for (const operation of ["upsertContact", "createContactactivities"]) {
  server.post(`/api/${operation}`, (request, reply) => answer(request.body, reply.code(202)));
  server.post(`/api/${operation}/batch`, (request, reply) => answer(request.body, reply.code(202)));
}
await server.listen({ host: "127.0.0.1", port: 0 });

/** The task is empty; the result is the port. */
serveTasks(async () => z.object({ port: z.number() }).parse(server.server.address()));

/** Checks what was parsed, so that nobody can say it was not. */
function answer(body: unknown, reply: { send(payload: unknown): unknown }): unknown {
  if (typeof body !== "object" || body === null) throw new Error("the body was not parsed");
  return reply.send({ requestId: "00000000000000000000", receipt });
}
