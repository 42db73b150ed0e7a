import type { Rolldown } from 'vite'

/**
 * Where a module is used. What the entry and the first screens after signing in import is loaded in any case; the other
 * areas are those whose pages are opened one after the other. The two chat areas are separate, so that a page that only
 * shows messages does not load the message field.
 */
type Area = 'entry' | 'first-screen' | 'visitor' | 'chat' | 'read-only-chat' | 'member' | 'admin'

const areaPatterns: readonly (readonly [Area, RegExp])[] = [
  ['entry', /\/src\/(?:main\.tsx|app\/(?:app|guards|router|routes)\.tsx?)$/],
  ['visitor', /\/pages\/(?:login|verify-2fa|forgot-password|reset-password|register|admin\/login)\.tsx$/],
  ['first-screen', /\/layouts\/(?:User|Admin)Layout\.tsx$|\/pages\/(?:dashboard|admin\/home)\.tsx$/],
  ['chat', /\/pages\/(?:channel|embedded-chat|embed-chat)\.tsx$/],
  ['read-only-chat', /\/pages\/(?:shared-chat|admin\/chat-history-(?:detail|log))\.tsx$/],
  ['admin', /\/pages\/admin\//],
  ['member', /\/pages\//],
]

function findOwnArea(id: string): Area | undefined {
  const path = id.replaceAll('\\', '/')
  return areaPatterns.find(([, pattern]) => pattern.test(path))?.[0]
}

/** Finds the areas that import a module statically, directly or through others. None for modules loaded on demand. */
function createAreaFinder() {
  const known = new Map<string, Set<Area>>()
  return function find(id: string, context: Rolldown.ChunkingContext): ReadonlySet<Area> {
    const found = known.get(id)
    if (found) return found
    const own = findOwnArea(id)
    const areas = new Set<Area>(own ? [own] : [])
    // Before the search continues, because some packages contain cycles.
    known.set(id, areas)
    if (own) return areas
    for (const importer of context.getModuleInfo(id)?.importers ?? [])
      for (const area of find(importer, context)) areas.add(area)
    return areas
  }
}

/**
 * The file in which a module is bundled if enough pages share it. Icons of several areas have a file of their own: a page
 * must not load the code of another area because of an icon.
 */
function chooseFile(id: string, areas: ReadonlySet<Area>): string | null {
  if (areas.size === 0) return null
  if (areas.has('entry')) return 'entry'
  if (areas.has('visitor')) return 'visitors'
  if (areas.has('first-screen')) return 'signed-in'
  const isIcon = /[\\/]lucide-react[\\/]/.test(id)
  const isOnOtherPages = areas.has('member') || areas.has('admin')
  const [isInChat, isInReadOnlyChat] = [areas.has('chat'), areas.has('read-only-chat')]
  if (isInChat || isInReadOnlyChat) {
    if (isOnOtherPages) return isIcon ? 'icons' : 'with-chat'
    if (isInChat) return isInReadOnlyChat ? 'replies' : 'chat'
    return null
  }
  if (isIcon) return 'icons'
  return areas.size > 1 ? 'pages' : areas.has('admin') ? 'admin' : 'members'
}

/** From how many pages and dialogs on a module is shared. Modules of the first screens are always shared. */
const minShareCounts = {
  entry: 1,
  visitors: 5,
  'signed-in': 1,
  icons: 2,
  'with-chat': 6,
  replies: 2,
  chat: 2,
  pages: 6,
  admin: 4,
  members: 6,
}

/**
 * Bundles the modules that pages share into a few files. Without this, a page consists of up to 80 small files, which
 * take more than a second longer to load on a phone than the bytes that a page does not need.
 */
export function createSharedFiles(): Rolldown.CodeSplittingGroup[] {
  const findAreas = createAreaFinder()
  return Object.entries(minShareCounts).map(([file, minShareCount], index) => ({
    name: (id, context) =>
      findOwnArea(id) === undefined && chooseFile(id, findAreas(id, context)) === file ? file : null,
    debugName: file,
    minShareCount,
    // A file also gets what its modules import. The files that every page loads come first.
    priority: 10 - index,
  }))
}
