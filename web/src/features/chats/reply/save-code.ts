import { saveFile } from '#lib/save-file.ts'

/** File extensions of the languages whose name is not their extension. */
const extensions: Record<string, string> = {
  bash: 'sh',
  'c#': 'cs',
  'c++': 'cpp',
  clojure: 'clj',
  console: 'sh',
  csharp: 'cs',
  elixir: 'ex',
  erlang: 'erl',
  fsharp: 'fs',
  golang: 'go',
  haskell: 'hs',
  javascript: 'js',
  jsonc: 'json',
  julia: 'jl',
  kotlin: 'kt',
  latex: 'tex',
  markdown: 'md',
  matlab: 'm',
  'objective-c': 'm',
  ocaml: 'ml',
  perl: 'pl',
  plaintext: 'txt',
  powershell: 'ps1',
  python: 'py',
  python3: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  sh: 'sh',
  terraform: 'tf',
  text: 'txt',
  typescript: 'ts',
  visualbasic: 'vb',
  yaml: 'yaml',
  zsh: 'sh',
}

/** Files that are named after their language. */
const names: Record<string, string> = {
  dockerfile: 'Dockerfile',
  docker: 'Dockerfile',
  makefile: 'Makefile',
  make: 'Makefile',
}

export function codeFileName(language: string): string {
  const key = language.toLowerCase()
  if (Object.hasOwn(names, key)) return names[key] ?? ''
  const extension = Object.hasOwn(extensions, key)
    ? extensions[key]
    : /^[a-z0-9]{1,10}$/.test(key)
      ? key
      : 'txt'
  return `code.${extension}`
}

/** Downloads the code of a reply as a file. */
export function saveCode(code: string, language: string): void {
  saveFile(new Blob([`${code}\n`], { type: 'text/plain' }), codeFileName(language))
}
