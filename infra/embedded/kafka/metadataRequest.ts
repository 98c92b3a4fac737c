import { once } from "node:events";
import { connect } from "node:net";

const METADATA_KEY = 3;
const METADATA_VERSION = 4;
const CORRELATION_ID = 1;
const ANSWER_BYTES_MAX = 1024 * 1024;

/**
 * The number of brokers that a broker sees as alive, itself included, asked by a Metadata request (version 4, no topics;
 * see "Metadata API" in Kafka's protocol guide). Throws when it is not there or says nothing before the signal.
 */
export async function countBrokers(port: number, signal: AbortSignal): Promise<number> {
  const socket = connect({ host: "127.0.0.1", port, signal });
  try {
    await once(socket, "connect", { signal });
    socket.write(metadataRequest());
    return parseBrokerCount(await readAnswer(socket, signal));
  } finally {
    socket.destroy();
  }
}

function metadataRequest(): Buffer {
  const body = Buffer.alloc(4 + 2 + 2 + 4 + 2 + 4 + 1);
  body.writeInt32BE(body.length - 4, 0);
  body.writeInt16BE(METADATA_KEY, 4);
  body.writeInt16BE(METADATA_VERSION, 6);
  body.writeInt32BE(CORRELATION_ID, 8);
  body.writeInt16BE(-1, 12); // no client id
  body.writeInt32BE(0, 14); // no topics
  body.writeInt8(0, 18); // and none to be made
  return body;
}

async function readAnswer(socket: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer> {
  let answer = Buffer.alloc(0);
  for await (const chunk of socket) {
    answer = Buffer.concat([answer, chunk]);
    if (signal.aborted || answer.length > ANSWER_BYTES_MAX) break;
    if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) return answer;
  }
  throw new Error("the broker ended the connection before its answer was whole");
}

/** Size, correlation id and throttle time come before the number of brokers, four bytes each. */
function parseBrokerCount(answer: Buffer): number {
  return answer.readInt32BE(12);
}
