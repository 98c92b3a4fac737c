import Fastify, { type FastifyInstance } from "fastify";
import pg from "pg";
import { z } from "zod";
import { serveTasks } from "./processes/serveTasks.ts";
import { barePages, bareReads } from "./service/bareStatements.ts";
import { writeBare } from "./service/bareWriter.ts";
import { type BareServiceTask, bareServiceTask } from "./tasks/bareServiceTask.ts";

/** Number of connections, as many as the service has. */
const CONNECTIONS = 16;

/** Process: a limit of the service. Fastify as it comes, over hand-written SQL through pg as it comes, or over no database at all. */
serveTasks(async (task) => {
  const wanted = bareServiceTask.parse(task);
  const server = Fastify({ logger: false });
  if (wanted.kind === "sql") serveSql(server, wanted);
  else serveAlone(server, wanted);
  await server.listen({ host: "127.0.0.1", port: 0 });
  return z.object({ port: z.number() }).parse(server.server.address());
});

type Of<Kind extends BareServiceTask["kind"]> = Extract<BareServiceTask, { kind: Kind }>;
const key = z.object({ key: z.string() });
const id = z.object({ id: z.string() });
const record = key.extend(id.shape);
const page = z.object({ after: z.coerce.number(), per_page: z.coerce.number() });

function serveSql(server: FastifyInstance, { url, account, sizes }: Of<"sql">): void {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, pipeline: true });
  const rowsOf = async (statement: { name: string; text: string }, values: (string | number)[]) =>
    (await pool.query({ ...statement, values: [account, ...values] })).rows;
  server.get("/v2/contacts/:key", async ({ params }) =>
    first(await rowsOf(bareReads.contact, [key.parse(params).key])),
  );
  server.get("/v2/orders/:id", async ({ params }) => first(await rowsOf(bareReads.order, [id.parse(params).id])));
  server.get("/v2/supplements/:key/records/:id", async ({ params }) => {
    const { key: table, id: wanted } = record.parse(params);
    return first(await rowsOf(bareReads.record, [table, wanted]));
  });
  for (const [name, statement] of Object.entries(barePages)) {
    server.get(`/pages/${name}`, async ({ query }) => {
      const { after, per_page } = page.parse(query);
      return rowsOf(statement, [after, per_page]);
    });
  }
  for (const name of ["contact", "order", "record"] as const) {
    server.post(`/writes/${name}/:id`, async ({ params }, reply) => {
      await writeBare(pool, name, { account, id: id.parse(params).id, sizes: sizes[name] });
      return reply.code(201).send({ success: true });
    });
  }
}

function serveAlone(server: FastifyInstance, { answers }: Of<"alone">): void {
  for (const { path, body } of answers) server.get(path, (_request, reply) => reply.send(body));
}

function first(rows: readonly unknown[]): unknown {
  if (rows[0] === undefined) throw new Error("nothing was found");
  return rows[0];
}
