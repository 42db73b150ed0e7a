import { useEffect } from 'react'
import { answerIdentityRequests, toIdentity } from '#features/auth/identity-messages.ts'
import { useUser } from '#features/auth/SessionProvider.tsx'

/** Shows the standalone chat page in an iframe. Any page of this origin can embed it the same way. */
export function ChatbotPage() {
  const user = useUser()
  const email = user?.email
  const name = user?.name
  useEffect(() => {
    if (email !== undefined) return answerIdentityRequests(toIdentity({ email, name }))
    return
  }, [email, name])

  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-3 sm:py-6 md:px-6 md:py-8">
      <h1 className="font-semibold text-lg sm:text-2xl">Chatbot</h1>
      <p className="text-muted text-sm sm:mt-1">Choose a channel and ask its assistant.</p>
      <iframe
        title="Chat with the assistant"
        src="/embedded-chat.html"
        height={600}
        className="mt-2 block h-[600px] w-full rounded-card border border-hairline bg-page sm:mt-5"
      />
    </div>
  )
}
