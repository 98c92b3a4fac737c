import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** Ways in which a store of objects fails. */
export type StorageFault =
  /** Takes requests and answers none. */
  | "hangs"
  | "answers 500"
  /** Cuts the connection while the last part arrives. */
  | "drops the last part"
  /** Finishes an object, and the answer is lost. */
  | "loses the answer of a finished file"
  | "refuses the manifest";

/** A store of objects behind an HTTP proxy that fails on demand. */
export interface BrittleStorage {
  readonly port: number;
  /** Fails so from now on. @param times requests that fail; after them all is well again. A storage hangs for four seconds at most. */
  fail(fault: StorageFault, times: number): void;
  /** Counts the requests that failed since the last `fail`. */
  failed(): number;
  /** Ends the fault, and requests that hang. */
  heal(): void;
  close(): Promise<void>;
}

const HANGS_MS = 4_000;
/** Bytes of every part but the last one. */
const PART_BYTES = 8 * 1024 * 1024;
const REFUSED = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No.</Message></Error>';
const BROKEN = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>Again.</Message></Error>';

type Fate = "passes" | "hangs" | "breaks" | "is cut" | "loses its answer" | "is refused";

export async function startBrittleStorage(target: number): Promise<BrittleStorage> {
  let fault: StorageFault | undefined;
  let left = 0;
  let failed = 0;
  const hanging = new Set<IncomingMessage>();
  let healing: NodeJS.Timeout | undefined;
  const heal = () => {
    clearTimeout(healing);
    healing = undefined;
    left = 0;
    for (const { socket } of hanging) socket.destroy();
    hanging.clear();
  };
  const take = (incoming: IncomingMessage): Fate => {
    const fate = left > 0 && fault !== undefined ? fateOf(fault, incoming) : "passes";
    if (fate === "passes") return fate;
    left -= 1;
    failed += 1;
    return fate;
  };
  const fates: Readonly<Record<Fate, (incoming: IncomingMessage, answer: ServerResponse) => void>> = {
    passes: (incoming, answer) => forward(target, incoming, answer),
    hangs: (incoming) => {
      hanging.add(incoming.resume());
      // Counted from the first request: a busy machine may take longer to come to its file.
      healing ??= setTimeout(heal, HANGS_MS);
    },
    breaks: (incoming, answer) => void incoming.resume().on("end", () => answer.writeHead(500).end(BROKEN)),
    "is refused": (incoming, answer) => void incoming.resume().on("end", () => answer.writeHead(403).end(REFUSED)),
    "is cut": (incoming) => void incoming.once("data", () => incoming.socket.destroy()),
    "loses its answer": (incoming, answer) => forward(target, incoming, answer, { isLost: true }),
  };
  const server = createServer((incoming, answer) => {
    incoming.on("error", () => answer.destroy());
    fates[take(incoming)](incoming, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the storage has no port");
  return {
    port: address.port,
    fail(next, times) {
      fault = next;
      left = times;
      failed = 0;
    },
    failed: () => failed,
    heal,
    async close() {
      heal();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function fateOf(fault: StorageFault, { method, url = "", headers }: IncomingMessage): Fate {
  const { searchParams } = new URL(url, "http://storage");
  const isPart = method === "PUT" && searchParams.has("partNumber");
  const isFinish = method === "POST" && searchParams.has("uploadId");
  switch (fault) {
    case "hangs":
      return "hangs";
    case "answers 500":
      return "breaks";
    case "drops the last part":
      return isPart && Number(headers["content-length"]) < PART_BYTES ? "is cut" : "passes";
    case "loses the answer of a finished file":
      return isFinish ? "loses its answer" : "passes";
    case "refuses the manifest":
      return isFinish && url.includes("manifest.json") ? "is refused" : "passes";
  }
}

function forward(
  port: number,
  incoming: IncomingMessage,
  answer: ServerResponse,
  { isLost }: { readonly isLost: boolean } = { isLost: false },
): void {
  const { method, url, rawHeaders } = incoming;
  const outgoing = request({ host: "127.0.0.1", port, method, path: url, headers: rawHeaders }, (answered) => {
    if (isLost) return void answered.resume().on("end", () => incoming.socket.destroy());
    answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
    answered.pipe(answer);
    answered.on("error", () => answer.destroy());
    return undefined;
  });
  // A server that was killed: its client sees a connection that broke, too.
  outgoing.on("error", () => incoming.socket.destroy());
  incoming.pipe(outgoing);
}
