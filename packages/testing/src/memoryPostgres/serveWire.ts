import { createServer, type Server, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";

const LENGTH_BYTES = 4;
const SSL_REQUEST = 80_877_103;
const TERMINATE = "X".charCodeAt(0);
const REFUSED = Buffer.from("N");

/**
 * Speaks Postgres' protocol for a database in memory, so that our own driver and adapter stand in front of it. The database has one
 * session: a client after the other uses it, and each begins with a clean one.
 */
export function serveWire(database: PGlite): Server {
  // One queue for all clients: the end of one and the beginning of the next keep their order.
  let turn: Promise<void> = Promise.resolve();
  return createServer((socket) => {
    const cut = createCutter();
    const enqueue = (work: () => Promise<unknown>) => {
      turn = turn.then(work).then(
        () => undefined,
        (error: Error) => void socket.destroy(error),
      );
    };
    enqueue(() => cleanSession(database));
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes: Buffer) => {
      const messages = cut(bytes, socket);
      if (messages.length > 0) enqueue(() => run(database, messages, socket));
    });
  });
}

async function cleanSession(database: PGlite): Promise<void> {
  if (database.isInTransaction()) await database.exec("ROLLBACK");
  await database.exec("DISCARD ALL");
}

function run(database: PGlite, messages: Buffer, socket: Socket): Promise<void> {
  return database.execProtocolRawStream(messages, { onRawData: (data) => void socket.write(data) });
}

/** Returns a function that takes what arrives and gives back the whole messages of it, for the database. */
function createCutter(): (bytes: Buffer, socket: Socket) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  return (bytes, socket) => {
    rest = Buffer.concat([rest, bytes]);
    const whole: Buffer[] = [];
    for (let end = endOfMessage(rest, isStarted); end <= rest.length; end = endOfMessage(rest, isStarted)) {
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (!isStarted && message.readInt32BE(LENGTH_BYTES) === SSL_REQUEST) {
        socket.write(REFUSED);
        continue;
      }
      if (isStarted && message[0] === TERMINATE) {
        socket.end();
        continue;
      }
      isStarted = true;
      whole.push(message);
    }
    return Buffer.concat(whole);
  };
}

/** Returns where the first message ends; infinity while its length is not known. All but the first of a client begin with a type. */
function endOfMessage(bytes: Buffer, isStarted: boolean): number {
  const typeBytes = isStarted ? 1 : 0;
  return bytes.length < typeBytes + LENGTH_BYTES ? Number.POSITIVE_INFINITY : typeBytes + bytes.readInt32BE(typeBytes);
}
