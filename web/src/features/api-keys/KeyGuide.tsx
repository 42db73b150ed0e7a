import { type ApiKeyScope, apiKeyScopes } from '@lyceum/contract/api-keys'
import { CopyButton } from '#ui/CopyButton.tsx'

interface AddressProps {
  label: string
  copyLabel: string
  path: string
  hint: string
}

function Address({ label, copyLabel, path, hint }: AddressProps) {
  const url = new URL(path, location.origin).href
  return (
    <div>
      <p className="font-medium text-sm">{label}</p>
      <div className="mt-1.5 flex items-center justify-between gap-2 rounded-control bg-surface-2 py-1 ps-3 pe-1">
        <code dir="ltr" className="wrap-anywhere min-w-0 select-all text-sm">
          {url}
        </code>
        <CopyButton label={copyLabel} text={() => url} />
      </div>
      <p className="mt-1.5 text-muted text-xs">{hint}</p>
    </div>
  )
}

const agentHints: Record<ApiKeyScope, string> = {
  chat: 'get answers with sources',
  documents: 'search the channels and read their documents',
}

function Addresses({ scopes }: { scopes: readonly ApiKeyScope[] }) {
  return (
    <div className="flex flex-col gap-4">
      {scopes.includes('chat') && (
        <Address
          label="Base URL"
          copyLabel="Copy the base URL"
          path="/v1"
          hint="For OpenAI-compatible clients. Each channel appears as a model."
        />
      )}
      <Address
        label="MCP server URL"
        copyLabel="Copy the MCP server URL"
        path="/mcp"
        hint={`For AI agents that support the Model Context Protocol (MCP): they can ${apiKeyScopes
          .filter((scope) => scopes.includes(scope))
          .map((scope) => agentHints[scope])
          .join(', and ')}.`}
      />
    </div>
  )
}

function Call({ children }: { children: string }) {
  return <code className="wrap-anywhere text-xs">{children}</code>
}

interface Props {
  /** What the key can do. */
  scopes: readonly ApiKeyScope[]
}

/** Where a key is used, and what can be called there. The full description is docs/api.md. */
export function KeyGuide({ scopes }: Props) {
  return (
    <>
      <Addresses scopes={scopes} />
      <details className="mt-3 text-sm">
        <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted pointer-coarse:min-h-11 pointer-coarse:py-3">
          Available endpoints
        </summary>
        <ul className="mt-1 flex list-disc flex-col gap-1.5 ps-5">
          <li>
            Send the key with each request: <Call>Authorization: Bearer lyceum_…</Call>
          </li>
          {scopes.includes('chat') && (
            <>
              <li>
                <Call>GET /v1/models</Call> lists the channels. Use an ID from this list, such as{' '}
                <Call>channel:physics</Call>, as the model.
              </li>
              <li>
                <Call>POST /v1/chat/completions</Call> or <Call>POST /v1/responses</Call> asks a question. The
                reply has its sources in <Call>citations</Call>. Each request is a chat in your list.
              </li>
            </>
          )}
          <li>
            Agents find the tools <Call>list_channels</Call>
            {scopes.includes('documents') && (
              <>
                , <Call>search</Call>, <Call>list_documents</Call>, <Call>read</Call>
              </>
            )}
            {scopes.includes('chat') && (
              <>
                , <Call>answer</Call>
              </>
            )}{' '}
            at <Call>/mcp</Call>.
          </li>
          <li>A key that has expired or was revoked is refused with status 401.</li>
        </ul>
      </details>
    </>
  )
}
