/**
 * Shows the chat of a channel on the page of another site: a button that opens a panel, or a frame in an element of the
 * page. Built as /embed.js, a script of its own without dependencies (build/embed-script.ts). Creates no markup from text
 * and no inline styles, which the content security policy of the page may forbid.
 */
const themeStyles =
  ':host([data-theme="light"]) { color-scheme: light } :host([data-theme="dark"]) { color-scheme: dark }'
const styles = `
  :host { all: initial; color-scheme: light dark }
  ${themeStyles}
  :host([hidden]), [hidden] { display: none !important }
  button { font: 600 1rem/1 system-ui, sans-serif; cursor: pointer; border: 0; color: #fff; background: var(--lyceum-chat-color, #1f5fbf) }
  button:focus-visible { outline: 3px solid #fff; outline-offset: -5px; box-shadow: 0 0 0 3px #1f5fbf }
  svg { width: 1.5rem; height: 1.5rem; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
  .open {
    position: fixed; z-index: 2147483000; display: flex; align-items: center; justify-content: center; gap: .5rem;
    bottom: calc(1rem + var(--order, 0) * 4.25rem + env(safe-area-inset-bottom)); inset-inline-end: 1rem;
    min-width: 3.5rem; height: 3.5rem; max-width: calc(100vw - 2rem); padding: 0 1rem; border-radius: 1.75rem;
    box-shadow: 0 4px 16px rgb(0 0 0 / 25%)
  }
  .open span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 1.4 }
  .panel {
    position: fixed; z-index: 2147483001; overflow: hidden; inset-inline-end: 1rem;
    bottom: calc(5.25rem + env(safe-area-inset-bottom)); width: 25rem; max-width: calc(100vw - 2rem);
    height: min(42rem, 100dvh - 6.5rem); border: 1px solid rgb(128 128 128 / 35%); border-radius: .75rem;
    background: light-dark(#fff, #16181d); box-shadow: 0 12px 40px rgb(0 0 0 / 25%)
  }
  :host([data-position="left"]) :is(.open, .panel) { left: max(1rem, env(safe-area-inset-left)); right: auto }
  :host([data-position="right"]) :is(.open, .panel) { right: max(1rem, env(safe-area-inset-right)); left: auto }
  iframe { display: block; width: 100%; height: 100%; border: 0 }
  .close {
    position: absolute; top: .375rem; inset-inline-end: .375rem; width: 2.75rem; height: 2.75rem; border-radius: .5rem;
    display: flex; align-items: center; justify-content: center
  }
  p { margin: 0; padding: 5rem 1.5rem; text-align: center; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1c2430, #e6e8ec) }
  p:empty { display: none }
  @media (max-width: 479px) {
    :host .panel, :host([data-position]) .panel { inset: 0; width: auto; max-width: none; height: auto; border: 0; border-radius: 0 }
  }
  @media (prefers-reduced-motion: no-preference) {
    .panel:not([hidden]) { animation: appear .15s ease-out }
    @keyframes appear { from { opacity: 0; transform: translateY(.5rem) } }
  }
  @media (forced-colors: active) {
    button { border: 1px solid ButtonText }
  }
  @media print {
    :host { display: none !important }
  }
`
const inlineStyles = `
  :host { display: block; height: 100% }
  ${themeStyles}
  [hidden], p:empty { display: none !important }
  iframe { display: block; width: 100%; height: 100%; min-height: 28rem; border: 0 }
`

const speechBubble = 'M21 11.5a8.4 8.4 0 0 1-8.5 8.5 8.6 8.6 0 0 1-3.8-.9L3 21l1.9-5.7A8.5 8.5 0 1 1 21 11.5Z'
const cross = 'M18 6 6 18M6 6l12 12'
const chevron = 'm6 9 6 6 6-6'

/** Milliseconds from the end of loading until a frame without a chat counts as blocked. */
const patience = 10_000

/** The other chats of the page close when one opens. */
const openEvent = 'lyceum-chat-open'

interface Settings {
  /** The origin that the script was loaded from. */
  origin: string
  channelId: string
  label: string | null
  position: string | null
  /** Null to follow the system of the user. */
  theme: 'light' | 'dark' | null
  /** Selects the element to fill. */
  target: string | null
}

function createIcon(path: string): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(namespace, 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  icon.append(document.createElementNS(namespace, 'path'))
  icon.firstElementChild?.setAttribute('d', path)
  return icon
}

function createHost({ channelId, theme }: Settings, css: string) {
  const host = document.createElement('div')
  host.dataset['lyceumChat'] = channelId
  if (theme !== null) host.dataset['theme'] = theme
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  return { host, root }
}

function createButton(className: string, path: string, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = className
  button.setAttribute('aria-label', label)
  button.append(createIcon(path))
  return button
}

function createFrame({ origin, channelId, label, theme }: Settings, isPanel: boolean): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  const query = new URLSearchParams({ site: location.origin })
  if (isPanel) query.set('panel', '')
  // Read by public/theme.js.
  if (theme !== null) query.set('theme', theme)
  frame.src = `${origin}/embed/${channelId}?${query.toString()}`
  frame.title = label ?? 'Chat'
  frame.allow = 'clipboard-write'
  return frame
}

/** Says that the chat is missing if it does not appear in the frame. Browsers do not tell a page why. */
function watchFrame(frame: HTMLIFrameElement, origin: string): void {
  const notice = document.createElement('p')
  notice.setAttribute('role', 'status')
  frame.after(notice)
  let isReady = false
  function show(isMissing: boolean): void {
    frame.hidden = isMissing
    notice.textContent = isMissing ? 'This chat is not available on this page.' : ''
  }
  frame.addEventListener('load', () => setTimeout(() => show(!isReady), patience))
  addEventListener('message', ({ source, origin: sender, data }: MessageEvent<{ type?: unknown } | null>) => {
    if (source !== frame.contentWindow || sender !== origin || data?.type !== 'lyceum.ready') return
    isReady = true
    show(false)
  })
}

function fillTarget(settings: Settings, target: Element): void {
  if (target.querySelector(`[data-lyceum-chat="${settings.channelId}"]`) !== null) return
  const { host, root } = createHost(settings, inlineStyles)
  const frame = createFrame(settings, false)
  root.append(frame)
  watchFrame(frame, settings.origin)
  target.append(host)
}

function addButton(settings: Settings): void {
  const { origin, channelId, label, position } = settings
  // The page has loaded the script twice.
  if (document.querySelector(`body > [data-lyceum-chat="${channelId}"]`) !== null) return
  const order = document.querySelectorAll('body > [data-lyceum-chat]').length
  const { host, root } = createHost(settings, styles)
  if (position === 'left' || position === 'right') host.dataset['position'] = position
  host.style.setProperty('--order', String(order))
  // `all: initial` also resets the direction of the page.
  host.style.setProperty('direction', getComputedStyle(document.body).direction)

  const opener = createButton('open', speechBubble, label ?? 'Chat')
  opener.setAttribute('aria-expanded', 'false')
  if (label !== null) {
    const text = document.createElement('span')
    text.textContent = label
    opener.append(text)
  }
  const panel = document.createElement('section')
  panel.className = 'panel'
  panel.hidden = true
  panel.setAttribute('role', 'dialog')
  panel.setAttribute('aria-label', label ?? 'Chat')
  // Until the frame shows a button of its own.
  const closer = createButton('close', cross, 'Close the chat')
  panel.append(closer)
  root.append(opener, panel)
  document.body.append(host)

  let frame: HTMLIFrameElement | null = null
  let isReady = false
  function setOpen(isOpen: boolean): void {
    panel.hidden = !isOpen
    opener.setAttribute('aria-expanded', String(isOpen))
    opener.querySelector('path')?.setAttribute('d', isOpen ? chevron : speechBubble)
  }
  function open(): void {
    setOpen(true)
    document.dispatchEvent(new CustomEvent(openEvent, { detail: host }))
    if (frame === null) {
      frame = createFrame(settings, true)
      panel.prepend(frame)
      watchFrame(frame, origin)
    }
    frame.focus()
    // The hidden frame has forgotten which of its elements had the focus.
    if (isReady) frame.contentWindow?.postMessage({ type: 'lyceum.open' }, origin)
  }
  function close(): void {
    if (!panel.hidden) setOpen(false)
  }
  function closeAndReturn(): void {
    close()
    opener.focus()
  }
  opener.addEventListener('click', () => (panel.hidden ? open() : closeAndReturn()))
  closer.addEventListener('click', closeAndReturn)
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape' && !panel.hidden) closeAndReturn()
  })
  document.addEventListener(openEvent, (event) => {
    if (event instanceof CustomEvent && event.detail !== host) close()
  })
  addEventListener('message', ({ source, origin: sender, data }: MessageEvent<{ type?: unknown } | null>) => {
    if (frame === null || source !== frame.contentWindow || sender !== origin) return
    if (data?.type === 'lyceum.close') closeAndReturn()
    if (data?.type !== 'lyceum.ready') return
    isReady = true
    closer.hidden = true
    // The focus was given before the page in the frame could take it. Giving it to the same element again does nothing.
    if (root.activeElement !== frame && root.activeElement !== closer) return
    frame.blur()
    frame.focus()
  })
}

function show(settings: Settings): string | null {
  if (settings.target === null) {
    addButton(settings)
    return null
  }
  let target: Element | null = null
  try {
    target = document.querySelector(settings.target)
  } catch {
    // Not a selector.
  }
  if (target === null) return `no element matches data-target="${settings.target}".`
  fillTarget(settings, target)
  return null
}

function readTheme(text = 'auto'): Settings['theme'] {
  if (text === 'light' || text === 'dark') return text
  if (text !== 'auto') report(`data-theme="${text}" is none of light, dark and auto.`)
  return null
}

function readSettings(script: HTMLOrSVGScriptElement | null): Settings | string {
  if (!(script instanceof HTMLScriptElement) || script.src === '')
    return 'load embed.js with <script src="…/embed.js" data-channel="…" async></script>.'
  const { channel = '', label, position, theme, target } = script.dataset
  if (!/^[\w-]{1,100}$/.test(channel))
    return 'set data-channel of the <script> to the id of the channel, as in the code that Lyceum shows.'
  return {
    origin: new URL(script.src).origin,
    channelId: channel,
    label: label ?? null,
    position: position ?? null,
    theme: readTheme(theme),
    target: target ?? null,
  }
}

function report(problem: string | null): void {
  // biome-ignore lint/suspicious/noConsole: the developer of the page has to learn of it
  if (problem !== null) console.error(`Lyceum chat: ${problem}`)
}

const settings = readSettings(document.currentScript)
if (typeof settings === 'string') report(settings)
// An asynchronous script may run before the page has a body.
else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => report(show(settings)))
else report(show(settings))
