import { appendFileSync } from "node:fs";
import { createServer } from "node:https";

/*
 * A receiver of webhooks as a process of its own. It appends each call to a file, then answers as the path says: `/status/<code>`, `/hang`,
 * `/slow/<ms>`
 * (204 after a while), `/trickle`, `/redirect`, `/large` (100 MiB), `/die` (the process ends with the answer unsent), anything else 204.
 */
const { file, key, cert, retryAfter, port = 0 } = JSON.parse(process.argv[2]);
const LARGE_CHUNKS = 1_600;
const CHUNK = Buffer.alloc(64 * 1024, 120);

const answers = {
  hang: () => undefined,
  slow: (answer, ms) => setTimeout(() => answer.writeHead(204).end(), Number(ms)),
  redirect: (answer) => answer.writeHead(302, { location: "/ok" }).end(),
  die: () => process.exit(1),
  trickle(answer) {
    answer.writeHead(200);
    const timer = setInterval(() => answer.write("."), 100);
    answer.on("close", () => clearInterval(timer));
  },
  large(answer) {
    answer.writeHead(200);
    let left = LARGE_CHUNKS;
    const more = () => {
      while (left > 0) {
        left -= 1;
        if (!answer.write(CHUNK)) return answer.once("drain", more);
      }
      answer.end();
    };
    more();
  },
};

const server = createServer({ key, cert }, (request, answer) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("error", () => undefined);
  request.on("end", () => {
    const call = {
      path: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: Date.now(),
    };
    appendFileSync(file, `${JSON.stringify(call)}\n`);
    const [, kind = "", code] = request.url.split("?")[0].split("/");
    if (kind === "status") {
      const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
      answer.writeHead(Number(code), headers).end("{}");
    } else (answers[kind] ?? (() => answer.writeHead(204).end()))(answer, code);
  });
});
server.listen(port, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on("close", () => process.exit(0)).resume();
