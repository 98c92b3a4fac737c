import { createServer } from "node:net";

/** Answers each connection with a beginning, and then a text without end. Tells its parent the port. */
const PIECE_BYTES = 256 * 1024;
const [head = "", unit = ""] = process.argv.slice(2);
const piece = Buffer.from(unit.repeat(Math.ceil(PIECE_BYTES / unit.length)), "latin1");
const server = createServer((socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("error", () => undefined).on("drain", more);
  socket.once("data", () => {
    socket.write(head, "latin1");
    more();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") process.send?.(address.port);
});
