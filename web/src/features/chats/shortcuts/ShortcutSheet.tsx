import { useState } from 'react'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { capsOf, isSingleCharacter, type ShortcutKey, shortcuts } from './shortcuts.ts'
import { singleKeys } from './single-keys.ts'

function Caps({ shown }: { shown: ShortcutKey }) {
  return (
    <span className="inline-flex gap-1">
      {capsOf(shown).map((cap) => (
        <kbd
          key={cap}
          className="min-w-6 rounded-control border border-control/60 bg-surface px-1.5 py-0.5 text-center font-sans text-xs"
        >
          {cap}
        </kbd>
      ))}
    </span>
  )
}

interface Props {
  open: boolean
  onClose: () => void
}

/** What the keys do, and whether single letters do anything. */
export function ShortcutSheet({ open, onClose }: Props) {
  const [areOn, setAreOn] = useState(singleKeys.areOn)
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <Checkbox
        label="Use single keys"
        hint="They do something only while nothing is being typed."
        checked={areOn}
        onChange={(event) => {
          singleKeys.switchTo(event.target.checked)
          setAreOn(event.target.checked)
        }}
      />
      <table className="mt-3 w-full text-sm">
        <caption className="sr-only">What the keys do in a chat</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">What it does</th>
            <th scope="col">Key</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {shortcuts.map(({ action, words, keys }) => {
            const usable = keys.filter((key) => areOn || !isSingleCharacter(key))
            return (
              <tr key={action}>
                <th scope="row" className="py-2 pr-4 text-start font-normal">
                  {words}
                </th>
                <td className="whitespace-nowrap py-2 text-end">
                  {usable.length === 0 && <span className="text-muted">switched off</span>}
                  {usable.map((key: ShortcutKey, place) => (
                    <span key={`${key.isCommand} ${key.key}`}>
                      {place > 0 && <span className="px-1.5 text-muted">or</span>}
                      <Caps shown={key} />
                    </span>
                  ))}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Dialog>
  )
}
