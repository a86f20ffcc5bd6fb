import { pinyin } from 'pinyin-pro';

/** The syllables of a Chinese text, without tones; other letters stay as they are, and what is between them goes. */
export function syllablesOf(text: string): string[] {
  const parts = pinyin(text, { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true });
  return parts.map((part) => part.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')).filter((part) => part !== '');
}
