import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, findRefusal, readAccepted, readSession, readStop } from './api-client.ts';
import type { Asked } from './fault.ts';
import type { Outcome } from './outcome.ts';
import type { Chance } from './seeded-chance.ts';
import { drawOrders, messageOf, type Order, type WorkloadShape } from './workload.ts';

interface MutableAsked extends Asked {
  readonly runIds: string[];
  stopped: Asked['stopped'];
  readonly choices: Map<string, 'run-again' | 'skip'>;
  readonly decisions: Map<string, 'allow' | 'deny'>;
}

/** The client's side of one point: what it asked for, what it was told, and what it still waits to be told. */
export class Requests {
  readonly #client: ApiClient;
  readonly #chance: Chance;
  readonly #shape: WorkloadShape;
  readonly #prefix: string;
  /** For how long it asks again: a point's requests are all accepted in the end. */
  readonly #untilMs: () => number;
  readonly #onAccepted: (runId: string) => void;
  readonly #asked: MutableAsked[] = [];
  readonly #errors: string[] = [];
  #sessions: readonly string[] = [];
  #waves = 0;
  readonly #going: Promise<unknown>[] = [];

  constructor(options: {
    client: ApiClient;
    chance: Chance;
    shape: WorkloadShape;
    prefix: string;
    untilMs: () => number;
    onAccepted: (runId: string) => void;
  }) {
    this.#client = options.client;
    this.#chance = options.chance;
    this.#shape = options.shape;
    this.#prefix = options.prefix;
    this.#untilMs = options.untilMs;
    this.#onAccepted = options.onAccepted;
  }

  get asked(): readonly Asked[] {
    return this.#asked;
  }

  /** What the client was told that it should not have been told. */
  get errors(): readonly string[] {
    return [...this.#errors, ...this.#client.surprises()];
  }

  async openSessions(): Promise<void> {
    const open = () => this.#client.send({ method: 'POST', path: '/sessions', body: {}, untilMs: this.#untilMs });
    this.#sessions = await Promise.all(Array.from({ length: this.#shape.sessions }, async () => readSession(await open())));
  }

  /** Sends a set of orders: sessions beside each other, the requests of a session one after the other has been accepted. */
  begin(first?: string): void {
    this.#waves += 1;
    const orders = drawOrders(`${this.#prefix}w${this.#waves}`, this.#shape, this.#chance);
    for (const [session, sessionId] of this.#sessions.entries()) {
      const line = orders.filter((order) => order.session === session);
      this.#going.push(this.#sendLine(line, sessionId, first).catch((error: unknown) => this.#errors.push(String(error))));
    }
  }

  /** Resolves once every order was accepted and every stop answered, or given up. */
  async finished(): Promise<void> {
    // A request that was accepted may have brought its stop with it.
    for (let seen = -1; seen !== this.#going.length; ) {
      seen = this.#going.length;
      await Promise.all(this.#going);
    }
  }

  /** Answers most of the open questions, some of them from two tabs at once; the rest stays open. Gives how many. */
  async answerQuestions(outcome: Pick<Outcome, 'questions'>): Promise<number> {
    const open = outcome.questions.filter((question) => question.state === 'OPEN' && this.#chance.happens(75));
    await Promise.all(
      open.map(async (question) => {
        const asked = this.#asked.find(({ runIds }) => runIds.includes(question.runId));
        if (!asked) return;
        const choice = this.#chance.pick(['run-again', 'skip'] as const);
        asked.choices.set(question.id, choice);
        const tabs = this.#chance.happens(40) ? 2 : 1;
        await Promise.all(Array.from({ length: tabs }, () => this.#answer(question, choice)));
      }),
    ).catch((error: unknown) => this.#errors.push(String(error)));
    return open.length;
  }

  /** Decides about every call that waits for that, some of them from two tabs at once. Gives how many. */
  async decideApprovals(outcome: Pick<Outcome, 'approvals'>): Promise<number> {
    const open = outcome.approvals.filter((approval) => approval.state === 'OPEN');
    await Promise.all(
      open.map(async ({ id, runId }) => {
        const decision = this.#chance.happens(70) ? 'allow' : 'deny';
        this.#asked.find(({ runIds }) => runIds.includes(runId))?.decisions.set(id, decision);
        const tabs = this.#chance.happens(40) ? 2 : 1;
        await Promise.all(Array.from({ length: tabs }, () => this.#decide(id, decision)));
      }),
    ).catch((error: unknown) => this.#errors.push(String(error)));
    return open.length;
  }

  async #decide(id: string, decision: 'allow' | 'deny'): Promise<void> {
    const answer = await this.#client.send({ method: 'POST', path: `/approvals/${id}`, body: { decision }, untilMs: this.#untilMs });
    const refusal = findRefusal(answer);
    // Decided by the other tab, or by an attempt whose answer was lost.
    if (refusal !== null && refusal !== 'already_decided') this.#errors.push(`decision about ${id}: ${JSON.stringify(answer.body)}`);
  }

  async #answer(question: Outcome['questions'][number], choice: 'run-again' | 'skip'): Promise<void> {
    const body = { questionId: question.id, answer: choice };
    const answer = await this.#client.send({ method: 'POST', path: `/runs/${question.runId}/answer`, body, untilMs: this.#untilMs });
    const refusal = findRefusal(answer);
    // Decided by the other tab, or by an attempt whose answer was lost.
    if (refusal !== null && refusal !== 'already_decided') this.#errors.push(`answer to ${question.id}: ${JSON.stringify(answer.body)}`);
  }

  async #sendLine(orders: readonly Order[], sessionId: string, first: string | undefined): Promise<void> {
    for (const order of orders) {
      await sleep(this.#chance.between(0, 120));
      const asked: MutableAsked = { order, sessionId, runIds: [], stopped: null, choices: new Map(), decisions: new Map() };
      this.#asked.push(asked);
      const send = async (to: string | undefined) => {
        const answer = await this.#client.send({
          method: 'POST',
          path: `/sessions/${sessionId}/messages`,
          body: { text: messageOf(order) },
          idempotencyKey: order.key,
          first: to,
          untilMs: this.#untilMs,
        });
        asked.runIds.push(readAccepted(answer));
      };
      await Promise.all(order.isSentTwice ? [send(first), send(undefined)] : [send(first)]);
      const runId = asked.runIds[0];
      if (runId === undefined) continue;
      this.#onAccepted(runId);
      if (order.stopAfterMs !== null)
        this.#going.push(this.#stop(asked, runId, order.stopAfterMs).catch((error: unknown) => this.#errors.push(String(error))));
    }
  }

  async #stop(asked: MutableAsked, runId: string, afterMs: number): Promise<void> {
    await sleep(afterMs);
    const answer = await this.#client.send({ method: 'POST', path: `/runs/${runId}/cancel`, untilMs: this.#untilMs });
    asked.stopped = { answeredAtMs: Date.now(), state: readStop(answer) };
  }
}
