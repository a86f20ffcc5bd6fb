/** One turn of an agent loop: sends the text to the model, calls `lookup` as it is told, emits the answer's text. */
export type PeerLoop = (turn: { sessionId: string; text: string; emit: (text: string) => void }) => Promise<void>;

export const INSTRUCTIONS = 'You are a helpful agent. Use lookup when you need a fact.';
