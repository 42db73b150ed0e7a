import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { type SchemaForm, useSchemaForm } from './use-schema-form.ts'

type Entries = Record<string, unknown>

interface DraftStore {
  read: (name: string) => Entries
  keep: (name: string, draft: Entries) => void
}

/** A form outside a provider works, but loses its draft when it is closed. */
const DraftsContext = createContext<DraftStore>({ read: () => ({}), keep: () => undefined })

interface Drafts extends DraftStore {
  /** Whether a form of the scope has unsaved entries. */
  isChanged: (scope: string) => boolean
}

function pickChanges(entries: Entries, stored: Entries): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([name, value]) => value !== stored[name]))
}

function isSameDraft(one: Entries, other: Entries): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

function toKey(scope: string, name: string): string {
  return `${scope}/${name}`
}

/** Keeps the unsaved entries of a page's forms while another part of the page is shown. */
export function useDrafts(): Drafts {
  const [drafts, setDrafts] = useState<Record<string, Entries>>({})
  const keep = useCallback((key: string, draft: Entries): void => {
    setDrafts((previous) =>
      isSameDraft(previous[key] ?? {}, draft) ? previous : { ...previous, [key]: draft },
    )
  }, [])
  return {
    read: (key) => drafts[key] ?? {},
    keep,
    isChanged: (scope) =>
      Object.entries(drafts).some(
        ([key, draft]) => key.startsWith(toKey(scope, '')) && Object.keys(draft).length > 0,
      ),
  }
}

interface ProviderProps {
  drafts: Drafts
  /** The part of the page that the forms belong to. */
  scope: string
  children: ReactNode
}

export function DraftsProvider({ drafts: { read, keep }, scope, children }: ProviderProps) {
  return (
    <DraftsContext
      value={{
        read: (name) => read(toKey(scope, name)),
        keep: (name, draft) => keep(toKey(scope, name), draft),
      }}
    >
      {children}
    </DraftsContext>
  )
}

/** Returns the entries to start with: those that are stored, changed by an earlier draft. */
export function useInitialEntries<Input extends Entries>(name: string, stored: Input): Input {
  const { read } = use(DraftsContext)
  const [initial] = useState(() => ({ ...stored, ...read(name) }))
  return initial
}

/** Keeps the entries that differ from those stored. Returns whether there are any. */
export function useKeepDraft<Input extends Entries>(name: string, entries: Input, stored: Input): boolean {
  const { keep } = use(DraftsContext)
  const draft = pickChanges(entries, stored)
  useEffect(() => keep(name, draft))
  return Object.keys(draft).length > 0
}

export interface DraftForm<Input extends Entries, Output> extends SchemaForm<Input, Output> {
  stored: Input
  isChanged: boolean
  /** Restores the stored entries. */
  discard: () => void
  /** Takes over one entry that the server has stored and keeps the others. */
  acceptEntry: <N extends keyof Input & string>(name: N, value: Input[N]) => void
}

/** A form that keeps its unsaved entries as a draft. `reset` takes the entries that the server has stored. */
export function useDraftForm<Input extends Entries, Output>(
  name: string,
  schema: z.ZodMiniType<Output, Input>,
  entries: Input,
): DraftForm<Input, Output> {
  const [stored, setStored] = useState(entries)
  const form = useSchemaForm(schema, useInitialEntries(name, entries))
  const isChanged = useKeepDraft(name, form.values, stored)
  return {
    ...form,
    stored,
    isChanged,
    reset: (saved) => {
      setStored(saved)
      form.reset(saved)
    },
    discard: () => form.reset(stored),
    acceptEntry: (entry, value) => {
      setStored((previous) => ({ ...previous, [entry]: value }))
      form.set(entry, value)
    },
  }
}
