// The import rules of docs/architecture.md. tools/checks/boundaries.test.ts has a violation of each.

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
  'webhooks',
  'assistants',
  'auth',
  'users',
  'settings',
  'channels',
  'groups',
  'analytics',
  'api-keys',
  'connected-programs',
  'embedding',
  'documents',
  'quotas',
  'invitations',
  'answering',
  'test-bench',
  'status',
  'connections',
  'single-sign-on',
  'directories',
  'scim',
  'get-started',
  'overview',
  'chats',
  'programs',
  'openai-api',
  'mcp',
  'chat-history',
]

/** One rule for each feature, all with the same name: it must not import the features listed after it. */
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
      'contract-imports-only-zod',
      'The contract imports zod and nothing else.',
      { path: '^contract/src/', pathNot: tests },
      { pathNot: ['^contract/src/', installed('zod')] },
    ),
    rule(
      'server-does-not-import-web',
      'What both sides need belongs to the contract.',
      { path: '^server/' },
      { path: '^web/' },
    ),
    rule(
      'web-does-not-import-server',
      'What both sides need belongs to the contract.',
      { path: '^web/' },
      { path: '^server/' },
    ),
    rule(
      'only-routes-use-http',
      'In a feature, only routes.ts imports Fastify.',
      { path: '^server/src/features/', pathNot: [tests, '[/-]routes\\.ts$'] },
      { path: ['^server/src/http/', installed('fastify', '@fastify/[^/]+')] },
    ),
    rule(
      'only-stores-use-sql',
      'In a feature, only stores import the database. All may use settings, callbacks after a commit and errors.',
      { path: '^server/src/features/', pathNot: [tests, '[/-]store\\.ts$'] },
      {
        path: ['^server/src/db/', '^node:sqlite$', '^sqlite$', installed('kysely', 'pg')],
        pathNot: '^server/src/db/(after-commit|client|database-unavailable|settings)\\.ts$',
      },
    ),
    rule(
      'only-stores-open-the-database',
      'Business logic may import only types of the database client, such as the transaction passed to a store.',
      { path: '^server/src/features/', pathNot: [tests, '[/-]store\\.ts$'] },
      { path: '^server/src/db/client\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'stores-are-private',
      'A feature uses the business logic and access checks of another, not its store or routes.',
      { path: '^server/src/features/([^/]+)/' },
      { path: '^server/src/features/.*[/-](store|routes)\\.ts$', pathNot: '^server/src/features/$1/' },
    ),
    rule(
      'platform-imports-no-feature',
      'connections, http, jobs, db, mail, files, lib and providers serve all features and import none.',
      { path: '^server/src/(cluster|connections|http|jobs|db|mail|files|lib|providers)/', pathNot: tests },
      { path: '^server/src/features/' },
    ),
    rule(
      'web-base-imports-no-feature',
      'ui, api and lib serve all features and import none.',
      { path: '^web/src/(ui|api|lib)/', pathNot: tests },
      { path: '^web/src/(features|pages|app)/' },
    ),
    rule(
      'web-features-import-no-page',
      'Pages compose features, never the other way round.',
      { path: '^web/src/features/', pathNot: tests },
      { path: '^web/src/(pages|app)/' },
    ),
    rule(
      'web-pages-import-no-app',
      'The router imports the pages, never the other way round.',
      { path: '^web/src/pages/', pathNot: tests },
      { path: '^web/src/app/' },
    ),
    rule(
      'web-features-share-only-data',
      'A feature imports only queries.ts of other features, the permission check and change-member.ts; pages combine components.',
      { path: '^web/src/features/([^/]+)/', pathNot: tests },
      {
        path: '^web/src/features/',
        pathNot: [
          '^web/src/features/$1/',
          '/queries\\.ts$',
          '^web/src/features/auth/use-can\\.ts$',
          '^web/src/features/channels/change-member\\.ts$',
        ],
      },
    ),
    rule(
      'product-imports-no-tests',
      'Product code does not import test code.',
      { pathNot: tests },
      { path: tests },
    ),
    rule(
      'no-cycles',
      'Merge files that import each other, or move the shared part to a third file.',
      {},
      { circular: true },
    ),
    rule(
      'no-unresolved-imports',
      'An import that cannot be resolved cannot be checked.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)dist/'] },
    // Type imports are checked like all others.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      importsFields: ['imports'],
      conditionNames: ['import', 'types', 'node', 'browser', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
  },
}
