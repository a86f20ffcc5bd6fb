import { createParser } from 'eventsource-parser';

export interface EventFrame {
  id: string | undefined;
  type: string;
  data: string;
}

interface FrameHandlers {
  onFrame: (frame: EventFrame) => void;
  /** Anything arrived, a heartbeat's comment included. */
  onBeat: () => void;
}

/** Reads server-sent events from a response body until it ends. Rejects when the connection breaks or is aborted. */
export async function readEventFrames(body: ReadableStream<Uint8Array<ArrayBuffer>>, { onFrame, onBeat }: FrameHandlers): Promise<void> {
  const parser = createParser({
    onEvent: (message) => onFrame({ id: message.id, type: message.event ?? 'message', data: message.data }),
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBeat();
    parser.feed(value);
  }
}
