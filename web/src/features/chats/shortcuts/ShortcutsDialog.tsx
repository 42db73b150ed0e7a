import { useState } from 'react'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { isCharacterKey, keyLabels, type ShortcutKey, shortcuts } from './shortcuts.ts'
import { singleKeys } from './single-keys.ts'

function Keys({ shortcut }: { shortcut: ShortcutKey }) {
  return (
    <span className="inline-flex gap-1">
      {keyLabels(shortcut).map((label) => (
        <kbd
          key={label}
          className="min-w-6 rounded-control border border-control/60 bg-surface px-1.5 py-0.5 text-center font-sans text-xs"
        >
          {label}
        </kbd>
      ))}
    </span>
  )
}

interface Props {
  open: boolean
  onClose: () => void
}

/** Lists the shortcuts and switches single-key ones on or off. */
export function ShortcutsDialog({ open, onClose }: Props) {
  const [isOn, setIsOn] = useState(singleKeys.isOn)
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <Checkbox
        label="Single-key shortcuts"
        hint="Active when you’re not typing."
        checked={isOn}
        onChange={(event) => {
          singleKeys.set(event.target.checked)
          setIsOn(event.target.checked)
        }}
      />
      <table className="mt-3 w-full text-sm">
        <caption className="sr-only">Keyboard shortcuts in a chat</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Action</th>
            <th scope="col">Key</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {shortcuts.map(({ action, label, keys }) => {
            const usable = keys.filter((key) => isOn || !isCharacterKey(key))
            return (
              <tr key={action}>
                <th scope="row" className="py-2 pr-4 text-start font-normal">
                  {label}
                </th>
                <td className="whitespace-nowrap py-2 text-end">
                  {usable.length === 0 && <span className="text-muted">off</span>}
                  {usable.map((key: ShortcutKey, index) => (
                    <span key={`${key.isCommand} ${key.key}`}>
                      {index > 0 && <span className="px-1.5 text-muted">or</span>}
                      <Keys shortcut={key} />
                    </span>
                  ))}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="mt-3 text-muted text-sm">
        In the list of chats, <Keys shortcut={{ key: '↑' }} /> and <Keys shortcut={{ key: '↓' }} /> move
        between chats, and <Keys shortcut={{ key: '→' }} /> moves to the actions of a chat.
      </p>
    </Dialog>
  )
}
