import type { GlobalSettings } from '@lyceum/contract/settings'
import { type TwoFactorEntries, type TwoFactorSettings, twoFactorForm } from '@lyceum/contract/two-factor'
import type { FormEvent } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { useSaveGlobal } from './mutations.ts'
import { TwoFactorFields } from './TwoFactorFields.tsx'
import { entriesOf } from './two-factor-labels.ts'

/** The second factor for everybody who has no settings of their own. */
export function GlobalTwoFactor({ settings }: { settings: GlobalSettings }) {
  const maySave = useCan('canManageSettings')
  const form = useSchemaForm<TwoFactorEntries, TwoFactorSettings>(twoFactorForm, entriesOf(settings))
  const save = useSaveGlobal()

  const send = form.handleSubmit(async (body) => {
    try {
      const { settings: saved } = await save.mutateAsync(body)
      form.reset(entriesOf(saved))
      banner.success(texts.settings.update.done)
    } catch (error) {
      if (!form.showRefusal(error)) banner.error(messageOf(error, texts.settings.update.failed))
    }
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    if (maySave) {
      send(event)
      return
    }
    event.preventDefault()
    banner.error(texts.permissions.manageSettings)
  }

  return (
    <Card>
      <section aria-labelledby="two-factor">
        <h2 id="two-factor" className="font-semibold text-lg">
          Two-factor authentication
        </h2>
        <p className="mt-1 text-muted text-sm">
          Holds for everybody without settings of their own. Those are set on the users’ screen.
        </p>
        {!settings.twoFactorExpiryEnabled && (
          <div className="mt-4">
            <Banner tone="warning">
              Two-factor authentication is off: no code is asked of anybody without settings of their own, and
              whoever knows a password gets in.
            </Banner>
          </div>
        )}
        <form noValidate onSubmit={submit} className="mt-3">
          <TwoFactorFields
            form={form}
            whom={settings.twoFactorExpiryEnabled ? 'anybody' : null}
            disabled={!maySave}
          />
          <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" variant="primary" busy={save.isPending} aria-disabled={!maySave}>
              Save Settings
            </Button>
            {!maySave && <p className="text-muted text-sm">{texts.permissions.manageSettings}</p>}
          </div>
        </form>
      </section>
    </Card>
  )
}
