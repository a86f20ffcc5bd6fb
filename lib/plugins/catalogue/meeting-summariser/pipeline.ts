import { definePipeline, type Pipeline } from '#lib/graph/index.ts';
import { readMinutes } from './read-minutes.ts';

interface MeetingState {
  readonly input: string;
  /** The notes without the words that ask for a summary. */
  readonly notes: string;
}

/** Fewer sentences are no meeting. */
const LEAST_SENTENCES = 3;

/** What people write before they paste: `Summarise this:`. */
const REQUEST =
  /^\s*(?:(?:please|can you|could you)\s+)?(?:summari[sz]e|sum up|minutes of|write (?:the |up )?minutes)[^\n:：]{0,80}[:：\n]|^\s*(?:请|帮我|麻烦)?.{0,6}(?:总结|概括|整理|提炼|写)[^\n:：]{0,40}[:：\n]/iu;

/** Read -> Summarise, or what to paste where there is nothing to summarise. */
export const meetingPipeline: Pipeline = definePipeline<MeetingState>({
  name: 'meeting_summary',
  channels: { input: 'replace', notes: 'replace' },
  begin: (input) => ({ input, notes: '' }),
  stages: [
    {
      id: 'read',
      title: { en: 'Read', 'zh-CN': '读取' },
      async run({ input }, { locale }) {
        const notes = input.replace(REQUEST, '').trim();
        const { utterances, participants } = readMinutes(notes);
        const isEnough = utterances.length >= LEAST_SENTENCES;
        const summary =
          locale === 'en'
            ? `${utterances.length} sentences of ${participants.length} people`
            : `${participants.length} 人的 ${utterances.length} 句话`;
        return {
          state: { notes: isEnough ? notes : '' },
          report: {
            summary,
            intent: isEnough ? 'task' : 'clarify',
            confidence: isEnough ? Math.min(0.95, 0.6 + utterances.length / 50) : 0.4,
            reasons: [...participants],
          },
        };
      },
    },
    {
      id: 'summarise',
      title: { en: 'Summarise', 'zh-CN': '总结' },
      async run({ notes }, { call, locale }) {
        if (notes === '') {
          await call({ capabilityId: 'echo', arguments: { text: PASTE[locale] }, rationale: 'says what is needed', isAnswer: true });
          return { state: {}, report: { summary: locale === 'en' ? 'asked for the notes' : '请用户提供记录', reasons: [] } };
        }
        const result = await call({
          capabilityId: 'meeting.summarise',
          arguments: { text: notes },
          rationale: 'chooses what matters',
          isAnswer: true,
        });
        const isDone = result.status === 'succeeded';
        return { state: {}, report: { summary: isDone ? DONE[locale] : result.message, reasons: [] } };
      },
    },
  ],
});

const PASTE = {
  en: 'Paste the notes or the transcript of a meeting, one line for each thing said, best with who said it (`Ada: …`). I pick out the key points, decisions, action items with owner and date, and open questions, in the words of the notes.',
  'zh-CN':
    '请粘贴会议记录或逐字稿，每句一行，最好注明发言人（`小王：……`）。我会用记录中的原话摘出要点、决定、行动项（负责人与期限）和待定问题。',
};
const DONE = { en: 'key points, decisions and action items', 'zh-CN': '要点、决定与行动项' };
