import type { Dispatcher } from "undici";

/**
 * Returns a dispatcher that says when a request is about to be written to its connection: until then nothing of it can have left, whatever
 * fails or ends it.
 */
export function watchStart(dispatcher: Dispatcher, onStart: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          handler.onRequestStart?.(controller, context);
          // A request whose time ended while it waited for its connection is given up here.
          if (!controller.aborted) onStart();
        },
        onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
        onResponseStart: (...given) => handler.onResponseStart?.(...given),
        onResponseData: (...given) => handler.onResponseData?.(...given),
        onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
        onResponseError: (...given) => handler.onResponseError?.(...given),
      }),
  );
}
