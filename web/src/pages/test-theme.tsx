import { Bell, Inbox, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { product } from '#theme/product.ts'
import { useTheme } from '#theme/theme.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Field } from '#ui/Field.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Logo } from '#ui/Logo.tsx'
import { Progress } from '#ui/Progress.tsx'
import { RadioCard } from '#ui/RadioCard.tsx'
import { Select } from '#ui/Select.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import { Badge, Status } from '#ui/Status.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { ThemeToggle } from '#ui/ThemeToggle.tsx'
import { toast } from '#ui/toast.ts'

const shades = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950] as const

function readColor(shade: number): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-primary-${shade}`).trim()
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-4">
      <h2 className="font-semibold text-lg">{title}</h2>
      {children}
    </section>
  )
}

function Shades() {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
      {shades.map((shade) => (
        <li key={shade} className="overflow-hidden rounded-card border border-hairline bg-raised">
          <div
            className="h-16 forced-color-adjust-none"
            style={{ backgroundColor: `var(--color-primary-${shade})` }}
          />
          <p className="px-3 pt-2 font-medium text-sm tabular-nums">
            {shade}
            {shade === 500 && <span className="font-normal text-muted"> primary</span>}
          </p>
          <p className="break-words px-3 pb-2 font-mono text-muted text-xs">{readColor(shade)}</p>
        </li>
      ))}
    </ul>
  )
}

function Logos() {
  const theme = useTheme()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Card className="flex flex-wrap items-center gap-6">
        <Logo />
        <Logo compact />
        <p className="w-full text-muted text-xs">As shown in the {theme} theme</p>
      </Card>
      <div className="grid grid-cols-2 gap-4">
        {[
          { source: product.logo, caption: 'For light surfaces', surface: 'bg-white text-slate-600' },
          { source: product.logoDark, caption: 'For dark surfaces', surface: 'bg-slate-900 text-slate-300' },
        ].map(({ source, caption, surface }) => (
          <div key={caption} className={`rounded-card border border-hairline p-5 text-xs ${surface}`}>
            <img src={source} alt={`${product.name}, ${caption.toLowerCase()}`} className="h-8 max-w-full" />
            <p className="mt-3">{caption}</p>
          </div>
        ))}
      </div>
    </div>
  )
}

function Buttons() {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="primary" onClick={() => toast.success('This is what success looks like.')}>
        <Plus aria-hidden="true" className="size-4" />
        Primary
      </Button>
      <Button onClick={() => toast.info('This is what information looks like.')}>Plain</Button>
      <Button variant="ghost">Ghost</Button>
      <Button variant="danger" onClick={() => toast.error('This is what an error looks like.')}>
        Danger
      </Button>
      <Button variant="primary" busy>
        Busy
      </Button>
      <Button disabled>Disabled</Button>
      <IconButton icon={Bell} label="An icon button" />
      <IconButton icon={Trash2} tone="danger" label="A dangerous icon button" />
    </div>
  )
}

function Fields() {
  const id = useId()
  const [isChecked, setIsChecked] = useState(true)
  const [choice, setChoice] = useState('one')
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Text" hint="A hint">
        {(props) => <TextInput {...props} defaultValue="Some words" />}
      </Field>
      <Field label="With an error" error="Invalid email address">
        {(props) => <TextInput {...props} defaultValue="ada@" />}
      </Field>
      <Field label="Choice">
        {(props) => (
          <Select {...props}>
            <option>The first</option>
            <option>The second</option>
          </Select>
        )}
      </Field>
      <Checkbox
        label="A checkbox"
        checked={isChecked}
        onChange={({ target }) => setIsChecked(target.checked)}
      />
      <fieldset className="grid gap-2 sm:col-span-2 sm:grid-cols-2">
        <legend className="sr-only">One of two</legend>
        {['one', 'two'].map((name) => (
          <RadioCard
            key={name}
            name={id}
            label={`Choice ${name}`}
            text="A sentence about what it means."
            isChosen={choice === name}
            onChoose={() => setChoice(name)}
          />
        ))}
      </fieldset>
    </div>
  )
}

function States() {
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-2">
        <Status tone="neutral">Waiting</Status>
        <Status tone="info">New</Status>
        <Status tone="success">Ready</Status>
        <Status tone="warning">Interrupted</Status>
        <Status tone="danger">Failed</Status>
        <Badge>A badge</Badge>
        <Avatar name="Ada Lovelace" />
        <Spinner />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Banner tone="success">Something worked.</Banner>
        <Banner tone="danger">Something failed.</Banner>
      </div>
      <Progress label="Loading something" value={0.6} />
      <div className="space-y-2" aria-hidden="true">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    </div>
  )
}

const samples = [
  { value: 'first', label: 'First' },
  { value: 'second', label: 'Second' },
] as const

/** Demonstrates colors, logos and shared components for developers who change the theme. */
export function TestThemePage() {
  const [tab, setTab] = useState<'first' | 'second'>('first')
  return (
    <main id="main" className="min-h-dvh bg-surface">
      <div className="mx-auto max-w-5xl space-y-10 px-4 py-8 md:px-6">
        <header className="flex items-center justify-between gap-4">
          <h1 className="font-semibold text-2xl">Theme</h1>
          <ThemeToggle />
        </header>
        <Section title="Shades">
          <Shades />
        </Section>
        <Section title="Logos">
          <Logos />
        </Section>
        <Section title="Buttons">
          <Buttons />
        </Section>
        <Section title="Fields">
          <Fields />
        </Section>
        <Section title="States">
          <States />
        </Section>
        <Section title="Surfaces">
          <Card>
            <Tabs label="Samples" tabs={samples} value={tab} onChange={setTab}>
              {tab === 'first' ? (
                <p>Text on a card, in the first of two tabs.</p>
              ) : (
                <EmptyState icon={Inbox} hint="A hint about what to do next.">
                  There is nothing here.
                </EmptyState>
              )}
            </Tabs>
          </Card>
        </Section>
      </div>
    </main>
  )
}
