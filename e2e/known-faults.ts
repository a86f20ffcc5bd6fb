import type { Requirement } from './requirements.ts';

const proved = (behaviour: string): Requirement => ({ status: 'proved', behaviour });
const planned = (behaviour: string): Requirement => ({ status: 'planned', behaviour });

/** Faults that users of systems like this one reported elsewhere, each turned into what must happen here. */
export const KNOWN_FAULTS = {
  K1: proved('A stream that resumes goes on with its own message, once, however often it is dropped.'),
  K2: proved('An answer is kept whole when its reader goes away.'),
  K3: proved('Events pass proxies at once, and silence is kept alive.'),
  K4: proved('Nothing starts after a stop was answered, and a second stop does no harm.'),
  K5: proved('Parallel tool calls are told apart even without an index.'),
  K6: proved('A tool that does not exist is told to the model, which goes on.'),
  K7: proved('A schema that a provider cannot take costs one tool, not the request.'),
  K8: proved('Large and binary tool results stay out of the prompt’s text.'),
  K9: proved('A forgotten MCP session is opened anew, and the call is repeated only where that is safe.'),
  K10: proved('All pages of a tool list are read, and one that never ends is left.'),
  K11: proved('Progress keeps a call alive up to a total limit.'),
  K12: proved('A dying local server takes neither host nor callers with it.'),
  K13: proved('Compaction keeps calls and results together.'),
  K14: proved('The question that must be answered survives every summary.'),
  K15: proved('A write finds another tenant’s thing no more than a read does.'),
  K16: proved('Concurrent runs never see each other’s context.'),
  K17: proved('A right that was taken away is gone with the next request, and its streams close.'),
  K18: proved('No tenant’s configuration runs a program on the host.'),
  K19: planned('Push addresses are checked when stored and when used, and tasks belong to their client.'),
  K20: proved('Reasoning goes back unchanged to the provider that wants it, and to no other.'),
  K21: planned('Background calls set what a provider demands of calls that do not stream.'),
  K22: proved('A provider’s word when to come back is kept, up to a cap.'),
  K23: proved('Text that the database cannot hold is made storable in one place.'),
  K24: proved('Migrations run at once and again, and instants are the same in every zone.'),
  K25: proved('The Enter that ends a composition sends nothing.'),
  K26: proved('No script of a stranger runs in our origin.'),
  K27: proved('Formulas are set and money is none, and the view stays where the reader put it.'),
  K28: planned('No link leads out of a workspace.'),
  K29: planned('Listed programs reach no other program, file or variable.'),
  K30: proved('Of two that resume at once, one wins and the other learns of it.'),
  K31: proved('Tokens are counted once, in classes that do not overlap.'),
  K32: planned('A parallel branch past its time is ended and overwrites nothing.'),
} as const satisfies Record<string, Requirement>;

export type KnownFaultId = keyof typeof KNOWN_FAULTS;
