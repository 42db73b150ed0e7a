import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const iconImport = /import \{([^}]*)\} from 'lucide-react'/g
const iconExport = /export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g

/** Reads the file of each icon name, aliases included, from the module that exports all of them. */
function readIconFiles(): Map<string, string> {
  const list = new URL('../lucide-react.mjs', import.meta.resolve('lucide-react/icons/x'))
  const all = readFileSync(list, 'utf8')
  const files = new Map<string, string>()
  for (const [, names = '', file = ''] of all.matchAll(iconExport))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file)
  return files
}

/**
 * Imports each icon from its own file. Imported from the module that exports all icons, the icons of all pages would end up
 * in the file that every page loads.
 */
export function iconFiles(): Plugin {
  let files: Map<string, string> | undefined
  function toImport(specifier: string): string {
    const file = files?.get(specifier)
    if (file !== undefined) return `import ${specifier} from 'lucide-react/icons/${file}'`
    if (specifier.startsWith('type ')) return `import type { ${specifier.slice(5)} } from 'lucide-react'`
    throw new Error(`The icon ${specifier} has no file.`)
  }
  return {
    name: 'icon-files',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /web[\\/]src[\\/].*\.tsx?$/, code: 'lucide-react' },
      handler(code) {
        files ??= readIconFiles()
        return code.replaceAll(iconImport, (_, specifiers: string) =>
          specifiers
            .split(',')
            .map((specifier) => specifier.trim())
            .filter((specifier) => specifier !== '')
            .map(toImport)
            .join('; '),
        )
      },
    },
  }
}
