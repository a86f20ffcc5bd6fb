import type { CapabilityOutput } from '#lib/capabilities/index.ts';
import type { JsonObject } from '#lib/kernel/index.ts';

/** One part of what a tool returned. Images and other binaries are told of, and never stand in the text (known fault K8). */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio' | 'file'; readonly mimeType: string; readonly sizeBytes: number; readonly name: string | null }
  | { readonly type: 'link'; readonly uri: string; readonly name: string };

export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly structured: JsonObject | null;
  readonly isError: boolean;
}

/** Data for the record and the next step, and the sentence for the person. */
export function toCapabilityOutput({ content, structured }: ToolResult): CapabilityOutput {
  const text = textOf(content);
  const others = content.filter(({ type }) => type !== 'text');
  return {
    output: {
      ...(text !== '' && { text }),
      ...(structured && { structured }),
      ...(others.length > 0 && { parts: others }),
    },
    text: text === '' && structured ? `\`\`\`json\n${JSON.stringify(structured, null, 2)}\n\`\`\`` : text,
  };
}

export function textOf(content: readonly ToolContent[]): string {
  return content.map(lineOf).join('\n\n');
}

function lineOf(part: ToolContent): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'link') return `${part.name}: ${part.uri}`;
  return `[${part.name ?? part.type}, ${part.mimeType}, ${Math.ceil(part.sizeBytes / 1024)} KiB]`;
}
