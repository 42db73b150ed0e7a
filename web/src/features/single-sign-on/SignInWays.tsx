import { type PublicIssuers, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { type ReactNode, useEffect, useState } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { log } from '#lib/log.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'

const passwordOnly: PublicIssuers = { issuers: [], isPasswordOn: true }

/** A failure counts as none, so that it hides no form. Without the query library, as on all pages for visitors. */
function usePublicIssuers(): PublicIssuers {
  const [issuers, setIssuers] = useState(passwordOnly)
  useEffect(() => {
    const controller = new AbortController()
    call(singleSignOnApi.listPublic, {}, { signal: controller.signal }).then(setIssuers, (error: unknown) => {
      if (!isAborted(error)) log('The issuers could not be loaded', error)
    })
    return () => controller.abort()
  }, [])
  return issuers
}

interface Props {
  door: 'user' | 'admin'
  /** The form for email and password. */
  children: ReactNode
}

/** The form for a password and a button for each issuer. With passwords switched off, the buttons come first. */
export function SignInWays({ door, children }: Props) {
  const { issuers, isPasswordOn } = usePublicIssuers()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [wantsPassword, setWantsPassword] = useState(false)

  async function start(issuerId: string): Promise<void> {
    setChosenId(issuerId)
    setRefusal(null)
    try {
      const { url } = await call(singleSignOnApi.start, { params: { issuerId }, body: { door } })
      location.assign(url)
    } catch (error) {
      setChosenId(null)
      setRefusal(messageOf(error, texts.signIn.unreachable))
    }
  }

  if (issuers.length === 0) return children
  const buttons = (
    <div className="flex flex-col gap-3">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      {issuers.map(({ _id, name }) => (
        <Button
          key={_id}
          variant={isPasswordOn ? 'secondary' : 'primary'}
          busy={chosenId === _id}
          className="w-full"
          onClick={() => void start(_id)}
        >
          <span className="wrap-anywhere">
            Continue with <bdi>{name}</bdi>
          </span>
        </Button>
      ))}
    </div>
  )
  if (!isPasswordOn)
    return (
      <div className="flex flex-col gap-5">
        {buttons}
        {wantsPassword ? (
          children
        ) : (
          <Button variant="ghost" className="w-full" onClick={() => setWantsPassword(true)}>
            Use a password
          </Button>
        )}
      </div>
    )
  return (
    <>
      {children}
      <p className="my-5 flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
        or
      </p>
      {buttons}
    </>
  )
}
