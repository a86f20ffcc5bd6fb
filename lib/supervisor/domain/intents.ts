import { CLOSING_COURTESIES, foldText, OPENING_COURTESIES } from '#lib/capabilities/index.ts';

/** A message that asks for no capability: a greeting, thanks, or what can be done here. null for anything else. */
export function findSmallTalk(message: string): 'greeting' | 'help' | null {
  if (message.length > 200) return null;
  const folded = foldText(message)
    .replace(/[\s!.?,。！？，~…]+/gu, ' ')
    .replace(/[\p{Emoji_Presentation}\p{Extended_Pictographic}\uFE0F]/gu, '')
    .trim();
  const inner = folded.replace(OPENING_COURTESIES, '').replace(CLOSING_COURTESIES, '').trim();
  if (HELP.test(folded) || HELP.test(inner)) return 'help';
  return GREETING.test(folded) || (folded !== '' && inner === '') ? 'greeting' : null;
}

const GREETING =
  /^(?:(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|day|night)|greetings|thanks|thank you|thx|cheers|bye|goodbye|see you|how are you|how's it going|how do you do|nice to meet you|what's up|sup|你好|您好|大家好|嗨|哈喽|哈啰|早|早上好|早安|上午好|中午好|下午好|晚上好|晚安|在吗|在不在|谢谢(?:你|您|大家)?(?:的帮助|的帮忙)?|多谢|感谢(?:你|您)?(?:的帮助)?|辛苦了|再见|拜拜|好的|你好吗|很高兴认识你)(?:there|everyone|all|again|so much|a lot|very much|today|啊|呀|哦|呢)?(?: |$))+(?:there|everyone|all|again|so much|a lot|very much|today)?$/u;

const HELP =
  /^(?:help|help me|\/help|menu|what can (?:you|i|we) (?:do|ask|help)(?: (?:you|here|for me|with|me with|you to do))*|what (?:do|can) you (?:do|offer|support)(?: here)?|what are (?:you able to do|your (?:capabilities|features|functions|skills|abilities))|(?:list|show)(?: me)?(?: all)?(?: of)?(?: your| the)? (?:capabilities|features|commands|functions|skills)|how (?:does this|do you|do i use this|can you help(?: me)?|can i use this|does it|to use this)(?: work)?|who are you|what are you|what is this|帮助|求助|菜单|怎么用|如何使用|使用说明|使用帮助|(?:你|这里|这个|系统)?(?:都|还)?(?:能|会|可以)(?:做|干|帮我做|帮我干|帮我|提供|问)?(?:些)?(?:什么|啥|哪些事|哪些)(?:事|事情|忙|功能|服务|问题)?|(?:你|这里|这个|系统)?(?:都)?有(?:什么|哪些|啥)(?:功能|能力|本事|服务|用途|用处)(?:可以用|可用|能用)?|你是谁|你是什么|这是什么|我(?:能|可以)(?:问|做)(?:你)?(?:些)?(?:什么|哪些))(?: (?:here|please|for me))?$/u;
