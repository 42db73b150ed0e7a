/** Files that go together. Small ones compress worse and cost a request each; what a screen does not need costs more. */
interface Group {
  name: string
  test: (id: string) => boolean
  priority: number
}

function within(fragments: readonly string[], except: readonly string[] = []) {
  function has(id: string, list: readonly string[]): boolean {
    return list.some((part) => id.includes(part))
  }
  return (id: string): boolean => {
    const path = id.replaceAll('\\', '/')
    return has(path, fragments) && !has(path, except)
  }
}

/** Changes with a dependency and not with a release, so that browsers keep it between releases. */
const react = ['react', 'react-dom', 'scheduler', 'wouter', 'regexparam'].map(
  (name) => `/node_modules/${name}/`,
)

/** What the sign-in screens need already. */
const everyScreen = [
  '/node_modules/zod/',
  '/node_modules/lucide-react/',
  '/contract/src/auth.',
  '/contract/src/wire.',
  '/contract/src/permissions.',
  '/contract/src/endpoint.',
  '/contract/src/error-reply.',
  '/web/src/theme/',
  '/web/src/lib/log.',
  '/web/src/lib/known-paths.',
  '/web/src/lib/router.',
  '/web/src/api/api-error.',
  '/web/src/api/call.',
  '/web/src/api/request.',
  '/web/src/api/token.',
  '/web/src/features/auth/session.',
  '/web/src/features/auth/stored-session.',
  '/web/src/features/auth/SessionProvider.',
  '/web/src/ui/Button.',
  '/web/src/ui/button-style.',
  '/web/src/ui/control-style.',
  '/web/src/ui/cx.',
  '/web/src/ui/IconButton.',
  '/web/src/ui/Link.',
  '/contract/src/two-factor.',
  '/web/src/ui/Logo.',
  '/web/src/ui/Spinner.',
  '/web/src/ui/Status.',
  '/web/src/ui/ThemeToggle.',
  '/web/src/ui/toast.',
]

/** What the frame around every signed-in screen needs. */
const everySignedInScreen = [
  '/@tanstack/query-core/',
  '/@tanstack/react-query/',
  '/web/src/api/query-client.',
  '/web/src/app/layouts/Shell.',
  '/web/src/app/layouts/BarLink.',
  '/web/src/app/layouts/LogoutButton.',
  '/contract/src/channels.',
  '/web/src/features/auth/use-can.',
  '/web/src/features/channels/queries.',
  '/web/src/ui/Avatar.',
  '/web/src/ui/Card.',
  '/web/src/ui/EmptyState.',
]

/** What the screens in front of the door share with each other alone. */
const everySignInScreen = [
  '/web/src/features/auth/AuthScreen.',
  '/web/src/features/auth/typed-email.',
  '/web/src/ui/TextLink.',
  '/web/src/ui/PasswordInput.',
]

/** Parts of the query library that only some screens use. */
const someScreens = [
  '/infiniteQueryObserver',
  '/mutationObserver',
  '/queriesObserver',
  '/useMutation',
  '/useInfiniteQuery',
  '/useMutationState',
]

/** What most of the larger screens need: one file instead of a dozen too small to be compressed. */
const manyScreens = [
  ...['check', 'chevron-right', 'pencil', 'plus', 'rotate-cw', 'search', 'sparkles', 'trash'].map(
    (name) => `/lucide-react/dist/esm/icons/${name}.`,
  ),
  '/web/src/lib/lazy-component.',
  '/web/src/lib/random-key.',
  '/web/src/lib/save-file.',
  '/web/src/lib/use-object-url.',
  '/web/src/ui/CopyButton.',
  '/web/src/ui/Skeleton.',
  '/infiniteQueryBehavior',
  '/infiniteQueryObserver',
  '/useInfiniteQuery',
  '/mutationObserver',
  '/useMutation',
]

export const groups: Group[] = [
  { name: 'react', test: within(react), priority: 3 },
  // Each icon stays with the screens that show it.
  { name: 'base', test: within(everyScreen, ['/lucide-react/dist/esm/icons/']), priority: 2 },
  { name: 'sign-in', test: within(everySignInScreen), priority: 1 },
  { name: 'signed-in', test: within(everySignedInScreen, someScreens), priority: 1 },
  { name: 'common', test: within(manyScreens), priority: 0 },
]
