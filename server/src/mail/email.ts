import type { Mail } from '#providers/mail/port.ts'

/** The content of an email. The layout is the same for all emails. */
export interface EmailContent {
  subject: string
  /** The first line, which mail clients also show as the preview. */
  heading: string
  paragraphs: readonly string[]
  /** The button. An email has at most one. */
  action?: { label: string; url: string }
  /** A one-time code, shown large. */
  code?: string
  /** Details such as time and browser, in two columns. */
  facts?: readonly (readonly [label: string, value: string])[]
  /** Small print at the end. */
  note: string
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}

function renderText({ heading, paragraphs, action, code, facts, note }: EmailContent): string {
  return [
    heading,
    ...paragraphs,
    ...(code ? [`    ${code}`] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(facts ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    `--\n${note}\nLyceum`,
  ].join('\n\n')
}

const fontStyle = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const smallTextStyle = `${fontStyle};font-size:13px;line-height:20px;color:#475569`

function renderParagraph(content: string): string {
  return `<p style="margin:0 0 16px;${fontStyle};font-size:16px;line-height:26px;color:#0f172a">${escapeHtml(content)}</p>`
}

function renderAction({ label, url }: { label: string; url: string }): string {
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr><td style="border-radius:6px;background:#186bec">` +
    `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;${fontStyle};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a>` +
    `</td></tr></table>` +
    `<p style="margin:0 0 16px;${smallTextStyle};word-break:break-all">${escapeHtml(url)}</p>`
  )
}

function renderCode(code: string): string {
  return `<p style="margin:8px 0 24px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:40px;letter-spacing:6px;font-weight:600;color:#0f172a">${escapeHtml(code)}</p>`
}

function renderFacts(facts: readonly (readonly [string, string])[]): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${facts
    .map(
      ([label, value]) =>
        `<tr><td style="padding:2px 16px 2px 0;${smallTextStyle};vertical-align:top">${escapeHtml(label)}</td><td style="padding:2px 0;${smallTextStyle};color:#0f172a">${escapeHtml(value)}</td></tr>`,
    )
    .join('')}</table>`
}

// Mail clients only agree on tables and inline styles.
function renderHtml(content: EmailContent): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(content.subject)}</title></head>` +
    `<body style="margin:0;padding:0;background:#f1f5f9"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f1f5f9"><tr><td align="center" style="padding:32px 16px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td style="padding:0 0 16px;${fontStyle};font-size:18px;font-weight:600;color:#0f172a">Lyceum</td></tr>` +
    `<tr><td style="background:#ffffff;border:1px solid #e2e8f0;border-radius:10px;padding:32px">` +
    `<h1 style="margin:0 0 16px;${fontStyle};font-size:24px;line-height:32px;font-weight:600;color:#0f172a">${escapeHtml(content.heading)}</h1>` +
    content.paragraphs.map(renderParagraph).join('') +
    (content.code ? renderCode(content.code) : '') +
    (content.action ? renderAction(content.action) : '') +
    (content.facts ? renderFacts(content.facts) : '') +
    `</td></tr><tr><td style="padding:16px 0;${smallTextStyle}">${escapeHtml(content.note)}</td></tr></table></td></tr></table></body></html>`
  )
}

/** Renders the same content as HTML and as plain text. */
export function renderEmail(to: Mail['to'], content: EmailContent): Mail {
  return {
    to,
    subject: content.subject,
    text: renderText(content),
    html: renderHtml(content),
  }
}
