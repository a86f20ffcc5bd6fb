/** One sentence of a meeting, and who said it. */
export interface Utterance {
  readonly speaker: string | null;
  readonly text: string;
}

/** Notes as they were pasted, taken apart: who is in them, and what was said, in order. */
export interface Minutes {
  readonly participants: readonly string[];
  readonly utterances: readonly Utterance[];
}

/** A name before a colon; longer ones are headings or sentences. */
const SPEAKER = /^(?<name>[\p{Lu}\p{Script=Han}][\p{L}\p{M}.'’·\- ]{0,28}?)\s*(?:\([^)]{0,30}\))?\s*[:：]\s*(?<rest>.+)$/u;
const TIMESTAMP = /^\[?\(?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\)?\]?\s*[-–]?\s*/iu;
const BULLET = /^\s*(?:[-*•·]|\d{1,2}[.)、]|\[[ x]\])\s+/iu;
/** What stands before a colon without being a person. */
const NOT_A_NAME =
  /^(?:agenda|notes?|summary|decisions?|decided|actions?|action items?|todo|to do|next steps?|attendees|participants|present|date|time|topic|subject|location|risks?|questions?|open questions?|conclusion|background|meeting|re|fyi|link|https?|议程|纪要|摘要|总结|决定|决议|结论|行动项|待办|下一步|参会人|参会人员|与会|出席|日期|时间|主题|议题|地点|风险|问题|待定|背景|备注|会议)$/iu;
const PRESENT = /^(?:attendees|participants|present|参会人|参会人员|与会人员?|出席)\s*[:：]\s*(?<names>.+)$/iu;

export function readMinutes(text: string): Minutes {
  const participants = new Set<string>();
  const utterances: Utterance[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const line = raw
      .replace(BULLET, '')
      .replace(TIMESTAMP, '')
      .replace(/^#+\s*/, '')
      .replace(/\*\*/g, '')
      .trim();
    if (line === '') continue;
    const present = PRESENT.exec(line)?.groups?.['names'];
    if (present !== undefined) {
      for (const name of present.split(/[,，、;；&]|\band\b|和/u))
        if (name.trim() !== '' && name.trim().length <= 30) participants.add(name.trim());
      continue;
    }
    const spoken = SPEAKER.exec(line)?.groups;
    const name = spoken?.['name']?.trim() ?? '';
    const isPerson = name !== '' && !NOT_A_NAME.test(name);
    if (isPerson) participants.add(name);
    const words = isPerson ? (spoken?.['rest'] ?? '') : line;
    for (const sentence of splitSentences(words)) utterances.push({ speaker: isPerson ? name : null, text: sentence });
  }
  return { participants: [...participants], utterances };
}

/** Sentences with their marks; abbreviations and decimals do not end one. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[。！？；])|(?<=[.!?])\s+(?=["'“(]?[\p{Lu}\p{N}\p{Script=Han}])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
