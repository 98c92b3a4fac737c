import { Socket } from "node:net";

/**
 * A socket that sends what is written in one turn of the event loop at once. The driver writes each statement by itself; a
 * transaction whose statements go out together then costs one call of the system and wakes the server once, not once for each.
 *
 * Transactions of six statements, four of them in one turn, took 7 to 9 % less time and 8 to 10 % less processor time than with a plain
 * socket (medians of 100 alternating rounds, one and eight at a time, `synchronous_commit = off`). Behind a slow disk's commits the
 * difference in time does not show.
 */
export function oneWriteATurn(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  let isHeld = false;
  const send = () => {
    isHeld = false;
    socket.uncork();
  };
  const held = (...given: Parameters<typeof write>) => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      process.nextTick(send);
    }
    return write(...given);
  };
  // Node sets it back when it connects, and to another when the other end has closed.
  const property = { value: held, writable: true, configurable: true };
  socket.once("connect", () => Object.defineProperty(socket, "write", property));
  return socket;
}
