// The arrows of docs/architecture.md as rules. tools/checks/boundaries.test.ts plants a violation of each.

const tests = '\\.test\\.tsx?$|/src/testing/'
/** @param {string[]} names */
function installed(...names) {
  return `(^|/)node_modules/(${names.join('|')})/`
}
/**
 * @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule
 * @param {string} name
 * @param {string} comment
 * @param {Rule['from']} from
 * @param {Rule['to']} to
 * @returns {Rule}
 */
function rule(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}

/** Lowest first. docs/architecture.md, "Feature order", says what each of them does. */
export const featureOrder = [
  'audit',
  'assistants',
  'analytics',
  'auth',
  'users',
  'settings',
  'channels',
  'documents',
  'quotas',
  'invitations',
  'answering',
  'status',
  'chats',
  'chat-history',
]

/** One rule for each feature, all of one name: it must not import the features listed after it. */
function featuresAreOrdered() {
  return featureOrder
    .slice(0, -1)
    .map((feature, at) =>
      rule(
        'features-are-ordered',
        'A feature imports only features listed before it, so that there are no cycles between features.',
        { path: `^server/src/features/${feature}/`, pathNot: tests },
        { path: `^server/src/features/(${featureOrder.slice(at + 1).join('|')})/` },
      ),
    )
}

export default {
  forbidden: [
    ...featuresAreOrdered(),
    rule(
      'contract-stands-alone',
      'The contract imports zod and nothing else.',
      { path: '^contract/src/', pathNot: tests },
      { pathNot: ['^contract/src/', installed('zod')] },
    ),
    rule(
      'server-never-meets-web',
      'What both sides need belongs to the contract.',
      { path: '^server/' },
      { path: '^web/' },
    ),
    rule(
      'web-never-meets-server',
      'What both sides need belongs to the contract.',
      { path: '^web/' },
      { path: '^server/' },
    ),
    rule(
      'only-routes-speak-http',
      'A feature meets Fastify in its routes.ts alone.',
      { path: '^server/src/features/', pathNot: [tests, '[/-]routes\\.ts$'] },
      { path: ['^server/src/http/', installed('fastify', '@fastify/[^/]+')] },
    ),
    rule(
      'only-stores-speak-sql',
      'A feature meets the database in its store.ts alone; db/settings.ts is a store of keys and values for all.',
      { path: '^server/src/features/', pathNot: [tests, '[/-]store\\.ts$'] },
      {
        path: ['^server/src/db/', '^node:sqlite$', '^sqlite$', installed('kysely', 'pg')],
        pathNot: '^server/src/db/(client|settings)\\.ts$',
      },
    ),
    rule(
      'only-stores-open-the-database',
      'A decision may name the type of the transaction that it hands to its store, no more.',
      { path: '^server/src/features/', pathNot: [tests, '[/-]store\\.ts$'] },
      { path: '^server/src/db/client\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'a-store-is-private',
      'Another feature is asked through its decisions or its access checks.',
      { path: '^server/src/features/([^/]+)/' },
      { path: '^server/src/features/.*[/-](store|routes)\\.ts$', pathNot: '^server/src/features/$1/' },
    ),
    rule(
      'platform-knows-no-feature',
      'http, jobs, db, mail, files, lib and providers serve every feature and name none.',
      { path: '^server/src/(http|jobs|db|mail|files|lib|providers)/', pathNot: tests },
      { path: '^server/src/features/' },
    ),
    rule(
      'web-base-knows-no-feature',
      'ui, api and lib serve every feature and name none.',
      { path: '^web/src/(ui|api|lib)/', pathNot: tests },
      { path: '^web/src/(features|pages|app)/' },
    ),
    rule(
      'web-features-know-no-page',
      'Pages compose features, never the other way round.',
      { path: '^web/src/features/', pathNot: tests },
      { path: '^web/src/(pages|app)/' },
    ),
    rule(
      'web-pages-know-no-app',
      'The router knows the pages, never the other way round.',
      { path: '^web/src/pages/', pathNot: tests },
      { path: '^web/src/app/' },
    ),
    rule(
      'features-share-data-only',
      'A feature uses the queries.ts of others, the permission check and the change of a membership; pages combine components.',
      { path: '^web/src/features/([^/]+)/', pathNot: tests },
      {
        path: '^web/src/features/',
        pathNot: [
          '^web/src/features/$1/',
          '/queries\\.ts$',
          '^web/src/features/auth/use-can\\.ts$',
          '^web/src/features/channels/access\\.ts$',
        ],
      },
    ),
    rule(
      'the-product-knows-no-test',
      'What is run does not reach into what is tested.',
      { pathNot: tests },
      { path: tests },
    ),
    rule('no-cycles', 'Two files that need each other are one file, or three.', {}, { circular: true }),
    rule(
      'nothing-unresolved',
      'An arrow that leads nowhere cannot be checked.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)dist/'] },
    // An import of a type is an arrow like any other.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      importsFields: ['imports'],
      conditionNames: ['import', 'types', 'node', 'browser', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
  },
}
