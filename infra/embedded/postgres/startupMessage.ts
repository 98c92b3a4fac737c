import { once } from "node:events";
import { connect } from "node:net";

const PROTOCOL_3_0 = 196_608;
const AUTHENTICATION = "R".charCodeAt(0);

/**
 * Returns true when Postgres goes on to ask who we are; while it starts, recovers or stops it answers with an error instead (57P03). See
 * "Start-up" in the message flow of PostgreSQL's frontend/backend protocol.
 */
export async function acceptsClients(port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port, signal });
  try {
    await once(socket, "connect", { signal });
    socket.write(startupMessage());
    const [answer] = await once(socket, "data", { signal });
    return Buffer.isBuffer(answer) && answer[0] === AUTHENTICATION;
  } finally {
    socket.destroy();
  }
}

function startupMessage(): Buffer {
  const parameters = Buffer.from("user\0headwater\0database\0headwater\0\0");
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, parameters]);
}
