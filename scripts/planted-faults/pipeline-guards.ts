import type { Guard } from './guard.ts';

const PIPELINE_TESTS = ['lib/supervisor/pipeline.integration.test.ts'];
const FIGURES = 'lib/plugins/catalogue/figures/figure-capabilities.ts';
const FIGURES_READER = 'db/stores/tenant-figures-reader.ts';
const FIGURES_READER_TESTS = ['db/stores/tenant-figures-reader.integration.test.ts'];
const QUESTION_TESTS = ['e2e/qa-sim/labelled-set.test.ts'];

/** Presets and their pipelines: what they see, what they repeat, and whose figures they tell. */
export const PIPELINE_GUARDS: readonly Guard[] = [
  {
    id: 'preset-scope',
    guards: 'A call outside the capabilities of the preset is refused, whoever names it.',
    file: 'lib/capabilities/invoker.ts',
    find: 'request.onlyIds?.includes(request.capabilityId) ?? true',
    replace: 'true',
    tests: PIPELINE_TESTS,
  },
  {
    id: 'preset-scope-of-model',
    guards: 'A model is offered the capabilities of the preset and no other.',
    file: 'lib/supervisor/domain/answerer.ts',
    find: '(capabilityIds?.includes(id) ?? true) && ',
    replace: '',
    tests: ['lib/supervisor/preset-agent.integration.test.ts'],
  },
  {
    id: 'stage-record',
    guards: 'A stage that is on record does not run again.',
    file: 'lib/graph/pipeline.ts',
    find: 'find: (path) => host.find(`${name}/${path}`)',
    replace: 'find: () => undefined',
    tests: ['lib/graph/pipeline.test.ts'],
  },
  {
    id: 'stage-call-record',
    guards: 'A call of a stage that has ended is not made again.',
    file: 'lib/supervisor/recorded-call.ts',
    find: 'const existing = records.invocations.get(call.path);',
    replace: 'const existing = undefined;',
    tests: PIPELINE_TESTS,
  },
  {
    id: 'unanswered-pipeline',
    guards: 'A run whose answer was refused does not end well.',
    file: 'lib/supervisor/pipeline-supervisor.ts',
    find: "if (text === '' || this.#whyUnanswered)",
    replace: "if (text === '')",
    tests: PIPELINE_TESTS,
  },
  {
    id: 'figures-of-others',
    guards: 'Figures of runs are one’s own without run:audit.',
    file: FIGURES,
    find: "args['mine'] === true || !call.permissions.has('run:audit')",
    replace: "args['mine'] === true",
    tests: QUESTION_TESTS,
  },
  {
    id: 'figures-of-members',
    guards: 'Figures of members need member:read.',
    file: FIGURES,
    find: "kind === 'members' ? 'member:read' : 'knowledge:read'",
    replace: "'knowledge:read'",
    tests: QUESTION_TESTS,
  },
  {
    id: 'figures-own-runs',
    guards: 'Own figures count the person’s runs alone.',
    file: FIGURES_READER,
    find: '${ownOnly ? tx`and user_id = ${toUuid(scope.userId)}` : tx``}',
    replace: '',
    tests: FIGURES_READER_TESTS,
  },
  {
    id: 'figures-disabled-members',
    guards: 'A member who may not act here is not counted.',
    file: FIGURES_READER,
    find: ' and m.disabled_at is null',
    replace: '',
    tests: FIGURES_READER_TESTS,
  },
];
